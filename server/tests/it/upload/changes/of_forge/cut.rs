//! Answers of forges that leave out lines or files.

use super::*;
use crate::harness::ForgeBehaviour;

/// Uploads, and returns the number of unknown files, the coverable lines of the others, and the notice.
async fn cut(forge: &ForgeStandIn, server: &TestServer) -> (u64, u64, String) {
    let answer = of_pull(forge).accepted(server).await;
    let changes = changes(server, &answer).await;
    let unknown = changes["unknown_files"].as_u64().unwrap();
    let notices = notices(&answer);
    let notice = notices.join(" ");
    let files = match unknown {
        0 => return (0, changes["coverable"].as_u64().unwrap(), notice),
        1 => "1 file".to_owned(),
        files => format!("{files} files"),
    };
    let said = format!("The changed lines of {files} are not known: ");
    assert!(notice.contains(&said), "{notice}");
    let text = answer["summary"]["text"].as_str().unwrap();
    assert!(text.contains(&format!("{files} not known")), "{text}");
    let page = server
        .get(&format!("/records/{}", answer["coverage"]["id"]))
        .await;
    assert!(page.text().await.unwrap().contains(&said));
    (unknown, changes["coverable"].as_u64().unwrap(), notice)
}

async fn open(pull: OpenPull, kind: Kind) -> (ForgeStandIn, TestServer) {
    let forge = ForgeStandIn::start(kind).await;
    forge.open(pull);
    let server = start(&forge, &[]).await;
    (forge, server)
}

#[tokio::test]
async fn a_diff_that_github_refuses_is_read_in_pages() {
    let mut large = pull(Kind::GitHub);
    large.diff = None;
    let (forge, server) = open(large, Kind::GitHub).await;
    assert_eq!(cut(&forge, &server).await, (0, 3, String::new()));
    let read = forge.read();
    assert!(
        read.contains(&"/repos/acme/payments/pulls/7/files?per_page=30&page=1".to_owned()),
        "{read:?}"
    );
}

#[tokio::test]
async fn more_files_than_a_diff_has_are_read_in_larger_pages() {
    let mut large = pull(Kind::GitHub);
    let patch = Some("@@ -1 +1 @@\n-a\n+b");
    let row = |index| github_row(&format!("src/{index}.txt"), "modified", patch);
    large.rows.extend((0..347).map(row));
    for (files, listed, expected, said) in [
        (301, 299, 2, "leaves out the lines of large files"),
        (
            350,
            350,
            50,
            "more files than one upload requests from GitHub",
        ),
        // More than GitHub lists.
        (3_100, 250, 2_850, "leaves out the lines of large files"),
    ] {
        large.files = Some(files);
        large.rows.truncate(listed);
        large
            .rows
            .extend((large.rows.len()..listed).map(|index| row(1_000 + index)));
        let (forge, server) = open(large.clone(), Kind::GitHub).await;
        let (unknown, coverable, notice) = cut(&forge, &server).await;
        assert_eq!((unknown, coverable), (expected, 3), "{files}");
        assert!(notice.contains(said), "{notice}");
        let read = forge.read();
        let pages = read
            .iter()
            .filter(|call| call.contains("/files?per_page=100"));
        assert_eq!(pages.count(), 3, "{read:?}");
        let calls = read.len() + forge.calls().len() + forge.compared().len();
        assert!(calls <= 10, "{read:?}");
    }
}

#[tokio::test]
async fn no_rule_of_a_gate_takes_unknown_files_for_unchanged_ones() {
    for (files, lost, verdict, skipped) in [
        (3, json!(1), "passed", json!([])),
        (
            4,
            Value::Null,
            "unknown",
            json!([
                "changed: the changed lines of 1 file are not known",
                "lost: the changed lines of 1 file are not known"
            ]),
        ),
    ] {
        let mut large = pull(Kind::GitHub);
        large.diff = None;
        large.files = Some(files);
        let (forge, server) = open(large, Kind::GitHub).await;
        let base = "SF:src/fee.c\nDA:1,1\nend_of_record\nSF:src/old.c\nDA:1,1\nend_of_record\n";
        let base = Upload::of(Archive::new().file("coverage.xml", base).tar_gz())
            .with("commit_hash", MERGE_BASE)
            .before(
                "settings",
                b"[gate]\nchanged = 60\nchanged_min = 1\nlost = 5\n",
            );
        base.accepted(&server).await;
        let sent = of_pull(&forge).with("base_commit", MERGE_BASE);
        let summary = &sent.accepted(&server).await["summary"];
        assert_eq!(summary["base"]["found_by"], "commit");
        assert_eq!(summary["lost_lines"], lost, "{summary}");
        assert_eq!(summary["gate"]["verdict"], verdict, "{summary}");
        assert_eq!(summary["gate"]["skipped"], skipped, "{summary}");
    }
}

#[tokio::test]
async fn rows_of_github_without_a_patch_are_unknown() {
    let mut large = pull(Kind::GitHub);
    large.diff = None;
    let mut unmarked = github_row("src/moved.c", "modified", None);
    unmarked["additions"] = json!(0);
    let mut empty = github_row("src/__init__.py", "added", None);
    empty["sha"] = json!(EMPTY);
    let mut counted = github_row("src/long.c", "modified", None);
    counted["additions"] = json!(30_000);
    counted["changes"] = json!(30_000);
    let mut fewer = github_row("src/cut.c", "modified", Some("@@ -1 +1 @@\n-a\n+b"));
    fewer["additions"] = json!(2);
    large.rows = vec![
        github_row("src/fee.c", "modified", Some(HUNK)),
        unmarked,
        counted,
        fewer,
        github_row(
            "src/ends.c",
            "modified",
            Some("@@ -1,9 +1,9 @@\n a\n-b\n+c"),
        ),
        github_row("src/new.c", "added", None),
        github_row("src/other.c", "surprise", None),
        // These have no changed lines in the head.
        empty,
        github_row("src/gone.c", "removed", None),
        github_row(
            "sub",
            "modified",
            Some("@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2"),
        ),
    ];
    large.files = Some(10);
    let (forge, server) = open(large, Kind::GitHub).await;
    let (unknown, coverable, notice) = cut(&forge, &server).await;
    assert_eq!((unknown, coverable), (6, 3));
    assert!(
        notice.contains("GitHub leaves out the lines of large files"),
        "{notice}"
    );
}

#[tokio::test]
async fn a_rename_after_many_lines_of_github_may_be_more_than_one() {
    let mut large = pull(Kind::GitHub);
    large.diff = None;
    let long = format!("@@ -0,0 +1,6000 @@\n{}", "+a\n".repeat(6_000));
    let mut moved = github_row("src/moved.c", "renamed", None);
    moved["previous_filename"] = json!("src/old.c");
    large.rows = vec![github_row("long.txt", "added", Some(&long)), moved];
    large.files = Some(2);
    let (forge, server) = open(large, Kind::GitHub).await;
    assert_eq!(cut(&forge, &server).await.0, 1);
}

#[tokio::test]
async fn rows_of_gitlab_without_lines_are_unknown() {
    let marked = |name: &str| {
        let mut row = gitlab_row("src/moved.c", "");
        row[name] = json!(true);
        row
    };
    let old = |name: &str| {
        let mut row = gitlab_row("src/new.c", "");
        row[name] = json!(true);
        let members = row.as_object_mut().unwrap();
        members.remove("collapsed");
        members.remove("too_large");
        row
    };
    for row in [
        marked("collapsed"),
        marked("too_large"),
        gitlab_row("src/moved.c", ""),
        gitlab_row("src/moved.c", "@@ -1,9 +1,9 @@\n a\n-b\n+c\n"),
        gitlab_row("src/moved.c", "diff --git a/x b/x\n"),
        // Versions before the marks.
        old("new_file"),
        old("renamed_file"),
    ] {
        let mut cut_off = pull(Kind::GitLab);
        let mut gone = gitlab_row("src/gone.c", "");
        gone["deleted_file"] = json!(true);
        gone["collapsed"] = json!(true);
        let mut submodule = gitlab_row("sub", "");
        submodule["b_mode"] = json!("160000");
        let old_names = format!("--- a/src/fee.c\n+++ b/src/fee.c\n{HUNK}");
        cut_off.rows = vec![
            gitlab_row("src/fee.c", &old_names),
            row.clone(),
            gone,
            submodule,
        ];
        let (forge, server) = open(cut_off, Kind::GitLab).await;
        let (unknown, coverable, _) = cut(&forge, &server).await;
        assert_eq!((unknown, coverable), (1, 3), "{row}");
    }
}

#[tokio::test]
async fn pages_of_gitlab_have_at_most_thirty_files() {
    let mut long = pull(Kind::GitLab);
    long.rows
        .extend((0..60).map(|index| gitlab_row(&format!("{index}.txt"), "@@ -1 +1 @@\n-a\n+b\n")));
    long.files = Some(64);
    let (forge, server) = open(long, Kind::GitLab).await;
    assert_eq!(cut(&forge, &server).await, (0, 3, String::new()));
    let read = forge.read();
    assert_eq!(
        read.iter().filter(|call| call.contains("/diffs?")).count(),
        3,
        "{read:?}"
    );
}

#[tokio::test]
async fn pages_before_a_failure_stay_known() {
    for kind in [Kind::GitHub, Kind::GitLab] {
        let mut long = pull(kind);
        long.diff = None;
        let row = |index| match kind {
            Kind::GitLab => gitlab_row(&format!("{index}.txt"), "@@ -1 +1 @@\n-a\n+b\n"),
            _ => github_row(
                &format!("{index}.txt"),
                "modified",
                Some("@@ -1 +1 @@\n-a\n+b"),
            ),
        };
        long.rows.extend((0..40).map(row));
        long.files = Some(long.rows.len() as u64);
        let failure = ForgeBehaviour::Answer(500, Vec::new(), "{}".to_owned());
        long.fails_after = Some((1, failure));
        let expected = long.rows.len() as u64 - 30;
        let (forge, server) = open(long, kind).await;
        let (unknown, coverable, notice) = cut(&forge, &server).await;
        assert_eq!((unknown, coverable), (expected, 3), "{kind:?}");
        assert!(notice.contains("it failed with status 500"), "{notice}");
    }
}

#[tokio::test]
async fn a_root_folder_of_many_entries_is_read_in_pages() {
    let mut wide = pull(Kind::GitLab);
    let files = (0..400).map(|index| ("100644", format!("{index:03}.c"), EMPTY.to_owned()));
    wide.entries.extend(files);
    let (forge, server) = open(wide.clone(), Kind::GitLab).await;
    let answer = of_pull(&forge).accepted(&server).await;
    unknown(
        &server,
        &answer,
        "the root folder of the repository has too many entries",
    )
    .await;
    wide.entries.truncate(150);
    let (forge, server) = open(wide, Kind::GitLab).await;
    // What `git mktree` prints for them.
    let tree = "3c7d972a578353294bd491886fcde1365f834fd1";
    let answer = of_pull(&forge)
        .with("tree_hash", tree)
        .accepted(&server)
        .await;
    assert_eq!(changes(&server, &answer).await["coverable"], 3);
}
