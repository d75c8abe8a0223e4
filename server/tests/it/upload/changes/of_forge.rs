//! Changes that the forge states, for an upload of a pull request whose job sent none.

mod cut;
mod failures;

use super::*;
use crate::harness::{COMMIT, ForgeStandIn, GOOD, KINDS, Kind, OpenPull, TOKEN};

/// What `git mktree` printed for the entries of [`pull`].
const TREE: &str = "4b35360f2ea964ab8ab56962b21ddcd68918ff26";
const EMPTY: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
const FOLDER: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const MERGE_BASE: &str = "1111111111111111111111111111111111111111";

/// The lines that [`LCOV`] has, and that the diff adds.
const HUNK: &str = "@@ -1 +1,4 @@\n a\n+b\n+c\n+d\n";

fn whole_diff() -> String {
    format!(
        "diff --git a/src/fee.c b/src/fee.c\nindex 1..2 100644\n--- a/src/fee.c\n+++ b/src/fee.c\n{HUNK}\
         diff --git a/src/old.c b/src/moved.c\nsimilarity index 100%\nrename from src/old.c\nrename to src/moved.c\n\
         diff --git \"a/src/\\303\\274.c\" \"b/src/\\303\\274.c\"\nnew file mode 100644\n--- /dev/null\n+++ \"b/src/\\303\\274.c\"\n\
         @@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n\
         diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\n"
    )
}

fn github_row(path: &str, status: &str, patch: Option<&str>) -> Value {
    let lines = |sign| {
        patch
            .unwrap_or_default()
            .lines()
            .filter(move |line| line.starts_with(sign))
    };
    let (added, removed) = (lines('+').count(), lines('-').count());
    let mut row = json!({
        "sha": "0".repeat(40), "filename": path, "status": status, "additions": added, "deletions": removed,
        "changes": added + removed, "blob_url": "", "raw_url": "", "contents_url": "",
    });
    if let Some(patch) = patch {
        row["patch"] = json!(patch.trim_end());
    }
    row
}

fn gitlab_row(path: &str, diff: &str) -> Value {
    json!({
        "diff": diff, "collapsed": false, "too_large": false, "new_path": path, "old_path": path, "a_mode": "100644",
        "b_mode": "100644", "new_file": false, "renamed_file": false, "deleted_file": false, "generated_file": false,
    })
}

/// The same changes as rows.
fn rows(kind: Kind) -> Vec<Value> {
    match kind {
        Kind::GitLab => {
            let mut moved = gitlab_row("src/moved.c", "");
            moved["old_path"] = json!("src/old.c");
            moved["renamed_file"] = json!(true);
            let mut added = gitlab_row(
                "src/ü.c",
                "@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n",
            );
            added["new_file"] = json!(true);
            added["a_mode"] = json!("0");
            let binary = "Binary files a/logo.png and b/logo.png differ\n";
            vec![
                gitlab_row("src/fee.c", HUNK),
                moved,
                added,
                gitlab_row("logo.png", binary),
            ]
        }
        _ => {
            let mut moved = github_row("src/moved.c", "renamed", None);
            moved["previous_filename"] = json!("src/old.c");
            let added = "@@ -0,0 +1 @@\n+a\n\\ No newline at end of file";
            vec![
                github_row("src/fee.c", "modified", Some(HUNK)),
                moved,
                github_row("src/ü.c", "added", Some(added)),
            ]
        }
    }
}

fn pull(kind: Kind) -> OpenPull {
    let entry = |mode, name: &str, id: &str| (mode, name.to_owned(), id.to_owned());
    OpenPull {
        number: 7,
        head: COMMIT.to_owned(),
        base: "2".repeat(40),
        merge_base: MERGE_BASE.to_owned(),
        next_head: None,
        is_stated: false,
        tree: TREE.to_owned(),
        merge: None,
        job: None,
        entries: vec![
            entry("040000", "lib", FOLDER),
            entry("160000", "sub", &"1".repeat(40)),
            entry("100755", "lib-x", EMPTY),
            entry("100644", "lib.c", EMPTY),
            entry("120000", "ü", EMPTY),
        ],
        diff: Some(whole_diff()),
        rows: rows(kind),
        files: Some(rows(kind).len() as u64),
        fails_after: None,
    }
}

async fn start(forge: &ForgeStandIn, arguments: &[&str]) -> TestServer {
    let listed = forge.listed();
    let own = ["--vcs-api-urls", &listed, "--upload-token", TOKEN];
    TestServer::start_with(&[&own, arguments].concat()).await
}

/// An upload of a pull request with a token of the forge.
fn of_pull(forge: &ForgeStandIn) -> Upload {
    upload()
        .with("branch_name", "feature")
        .with("commit_hash", COMMIT)
        .with("vcs_api_url", &forge.api())
        .with("pull_request", "7")
        .with("tree_hash", TREE)
        .authorization(Some(&format!("Bearer {GOOD}")))
}

fn notices(answer: &Value) -> Vec<&str> {
    let notices = answer["summary"]["notices"].as_array().unwrap();
    notices
        .iter()
        .map(|notice| notice.as_str().unwrap())
        .collect()
}

/// Expects that the changed lines are unknown, with this sentence everywhere.
async fn unknown(server: &TestServer, answer: &Value, said: &str) {
    assert_eq!(answer["summary"]["changed_lines"], Value::Null);
    let notices = notices(answer);
    let unknown = "The changed lines are not known: ";
    let notice = notices.iter().find(|notice| notice.starts_with(unknown));
    let notice = notice.filter(|notice| notice.contains(said));
    let notice = notice.unwrap_or_else(|| panic!("{said}: {notices:?}"));
    let response = server.get(&format!("{}/changes", record(answer))).await;
    assert_eq!(response.status(), 404);
    let problem: Value = response.json().await.unwrap();
    assert_eq!(
        (&problem["code"], &problem["detail"]),
        (&json!("no_changes"), &json!(notice))
    );
    let page = server
        .get(&format!("/records/{}", answer["coverage"]["id"]))
        .await;
    let page = page.text().await.unwrap();
    assert!(page.contains("The changed lines are not known: "), "{page}");
}

#[tokio::test]
async fn the_forge_says_what_a_pull_request_changes_if_the_job_does_not() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        forge.open(pull(kind));
        let server = start(&forge, &[]).await;
        let answer = of_pull(&forge).accepted(&server).await;
        assert_eq!(notices(&answer), [""; 0], "{kind:?}");
        let changes = changes(&server, &answer).await;
        let said = (
            &changes["covered"],
            &changes["coverable"],
            &changes["unknown_files"],
        );
        assert_eq!(
            said,
            (&json!(2), &json!(3), &json!(0)),
            "{kind:?}: {changes}"
        );
        assert_eq!(changes["files"][0]["missed"], json!([[3, 3]]));
        assert_eq!(changes["files"][1]["old_path"], "src/old.c");
        assert_eq!(changes["unmeasured"], json!(["src/ü.c"]));
        assert_eq!(changes["base_commit"], MERGE_BASE, "{kind:?}");
        let calls = forge.read().len() + forge.calls().len() + forge.compared().len();
        assert!(calls <= 10, "{kind:?}: {:?}", forge.read());
    }
}

#[tokio::test]
async fn the_line_numbers_of_another_tree_are_not_used() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        forge.open(pull(kind));
        let server = start(&forge, &[]).await;
        // The commit is the head, but the merge was measured.
        let merge = of_pull(&forge).with("tree_hash", &"a".repeat(40));
        let answer = merge.accepted(&server).await;
        unknown(
            &server,
            &answer,
            "(`tree_hash`) is not the tree of the head of pull request 7",
        )
        .await;
        let without = of_pull(&forge).without("tree_hash");
        let answer = without.accepted(&server).await;
        unknown(
            &server,
            &answer,
            "does not state the tree that was measured",
        )
        .await;
    }
}

#[tokio::test]
async fn a_pull_request_that_moves_meanwhile_is_unknown() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = start(&forge, &[]).await;
        let mut moving = pull(kind);
        moving.next_head = Some("3".repeat(40));
        forge.open(moving);
        let answer = of_pull(&forge).accepted(&server).await;
        unknown(&server, &answer, "pull request 7 changed during the upload").await;
    }
}

#[tokio::test]
async fn the_forge_is_asked_only_if_it_is_needed() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    forge.open(pull(Kind::GitHub));
    let server = start(&forge, &[]).await;
    let sent = of_pull(&forge).after("changes", DIFF.as_bytes());
    sent.accepted(&server).await;
    // Another part of the same commit, a branch, and a token of the service.
    of_pull(&forge).with("part", "e2e").accepted(&server).await;
    of_pull(&forge)
        .with("language", "c")
        .without("pull_request")
        .accepted(&server)
        .await;
    let own = upload()
        .with("language", "go")
        .with("pull_request", "7")
        .with("tree_hash", TREE);
    own.accepted(&server).await;
    assert!(forge.read().is_empty(), "{:?}", forge.read());
}

#[tokio::test]
async fn changes_of_a_job_replace_those_of_the_forge() {
    let forge = ForgeStandIn::start(Kind::Gitea).await;
    forge.open(pull(Kind::Gitea));
    let server = start(&forge, &[]).await;
    of_pull(&forge).accepted(&server).await;
    let calls = forge.read().len();
    let diff = "diff --git a/src/moved.c b/src/moved.c\n--- a/src/moved.c\n+++ b/src/moved.c\n@@ -0,0 +1 @@\n";
    let sent = of_pull(&forge)
        .with("part", "e2e")
        .with("base_commit", "b1")
        .after("changes", diff.as_bytes());
    let answer = sent.accepted(&server).await;
    let changes = changes(&server, &answer).await;
    assert_eq!(
        (&changes["coverable"], &changes["base_commit"]),
        (&json!(1), &json!("b1"))
    );
    of_pull(&forge)
        .with("part", "third")
        .accepted(&server)
        .await;
    assert_eq!(forge.read().len(), calls);
}

#[tokio::test]
async fn a_later_part_asks_again_what_the_forge_did_not_say() {
    let forge = ForgeStandIn::start(Kind::GitLab).await;
    let server = start(&forge, &[]).await;
    let answer = of_pull(&forge).accepted(&server).await;
    unknown(&server, &answer, "grant the token the scope `read_api`").await;
    forge.open(pull(Kind::GitLab));
    let answer = of_pull(&forge).with("part", "e2e").accepted(&server).await;
    assert_eq!(notices(&answer), [""; 0]);
    assert_eq!(changes(&server, &answer).await["coverable"], 3);
    // A failure afterwards changes nothing.
    forge.open(OpenPull {
        number: 8,
        ..pull(Kind::GitLab)
    });
    let answer = of_pull(&forge)
        .with("part", "third")
        .accepted(&server)
        .await;
    assert_eq!(notices(&answer), [""; 0]);
}

#[tokio::test]
async fn a_diff_from_another_base_than_the_job_names_is_not_used() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        forge.open(pull(kind));
        let server = start(&forge, &[]).await;
        let named = |name, value: &str| {
            of_pull(&forge)
                .with("language", name)
                .with("base_commit", value)
        };
        for (language, base) in [("c", MERGE_BASE), ("go", &MERGE_BASE[..8])] {
            let answer = named(language, base).accepted(&server).await;
            let changes = changes(&server, &answer).await;
            assert_eq!(changes["coverable"], 3, "{kind:?}");
            assert_eq!(changes["base_commit"], base, "what the job named stays");
        }
        let answer = named("java", &"2".repeat(40)).accepted(&server).await;
        unknown(&server, &answer, "starts at the base of the upload").await;
        let only_tree = of_pull(&forge)
            .with("language", "perl")
            .with("base_tree", TREE);
        let answer = only_tree.accepted(&server).await;
        unknown(&server, &answer, "starts at the base of the upload").await;
    }
}
