//! The key `ignore` of the form field `settings`: files that count nowhere.

mod lcov;
mod parts;

use crate::harness::{Archive, Reachable, TestServer, Upload};
use serde_json::{Value, json};

/// One file that counts, and one that was generated: 1 of 2 and 0 of 2 lines ran.
const LCOV: &str = "SF:src/fee.c\nDA:1,1\nDA:2,0\nend_of_record\n\
    SF:gen/fee.pb.c\nDA:1,0\nDA:2,0\nend_of_record\n";

const SETTINGS: &str = "ignore = [\"gen/**\"]\n";

fn upload(commit: &str, coverage: &str) -> Upload {
    let archive = Archive::new().file("coverage.xml", coverage).tar_gz();
    Upload::of(archive)
        .with("commit_hash", commit)
        .with("summary", "1")
}

fn with_settings(commit: &str, settings: &str) -> Upload {
    upload(commit, LCOV).before("settings", settings.as_bytes())
}

fn record(answer: &Value) -> String {
    format!("/coverages-api/records/{}", answer["coverage"]["id"])
}

fn ignored(answer: &Value) -> &Value {
    &answer["summary"]["ignored"]
}

#[tokio::test]
async fn ignored_files_are_in_no_number_and_not_stored() {
    let server = TestServer::start().await;
    let answer = upload("c1", LCOV).with("repo_name", "all");
    let answer = answer.accepted(&server).await;
    assert_eq!(ignored(&answer), &Value::Null);
    assert_eq!(answer["coverage"]["percentage"], json!(25.0));
    let answer = with_settings("c2", SETTINGS).accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], json!(50.0));
    let expected = json!({"files": 1, "covered": 0, "total": 2, "percentage_without_rules": 25.0});
    assert_eq!(ignored(&answer), &expected);
    assert_eq!(server.get_json(&record(&answer)).await["ignored"], expected);
    let exported = server
        .get_text(&format!("{}/report.lcov", record(&answer)))
        .await;
    assert!(
        exported.contains("SF:src/fee.c") && !exported.contains("gen/"),
        "{exported}"
    );
    let page = server
        .get_text(&format!("/records/{}", answer["coverage"]["id"]))
        .await;
    let fact = "1 file with 0 of 2 lines covered; 25.00 % with them";
    assert!(page.contains(fact), "{page}");
    assert!(!page.contains("gen/fee.pb.c"), "{page}");
}

#[tokio::test]
async fn the_rules_of_the_main_branch_count_for_other_branches() {
    let server = TestServer::start().await;
    with_settings("c1", SETTINGS).accepted(&server).await;
    for (commit, settings) in [
        ("f1", ""),
        ("f2", "ignore = []\n"),
        ("f3", "ignore = [\"**\"]\n"),
    ] {
        let on_branch = with_settings(commit, settings).with("branch_name", "fix");
        let answer = on_branch.accepted(&server).await;
        assert_eq!(ignored(&answer)["files"], json!(1), "{commit}");
    }
    // An upload of the main branch without settings has the rules of the record before it.
    let answer = upload("c2", LCOV).accepted(&server).await;
    assert_eq!(ignored(&answer)["files"], json!(1));
    let answer = with_settings("c3", "ignore = []\n").accepted(&server).await;
    assert_eq!(ignored(&answer), &Value::Null);
}

#[tokio::test]
async fn a_record_keeps_the_rules_of_its_first_upload() {
    let server = TestServer::start().await;
    with_settings("c1", SETTINGS).accepted(&server).await;
    let first = upload("f1", LCOV).with("branch_name", "fix");
    first.clone().accepted(&server).await;
    with_settings("c2", "ignore = [\"src/**\"]\n")
        .accepted(&server)
        .await;
    let again = first.accepted(&server).await;
    assert_eq!(again["coverage"]["percentage"], json!(50.0));
    let new = upload("f2", LCOV).with("branch_name", "fix");
    assert_eq!(
        new.accepted(&server).await["coverage"]["percentage"],
        json!(0.0)
    );
    let again = with_settings("c2", SETTINGS).accepted(&server).await;
    assert_eq!(again["coverage"]["percentage"], json!(0.0));
}

#[tokio::test]
async fn ignored_files_have_no_changed_lines_and_are_not_missing_among_them() {
    let server = TestServer::start().await;
    with_settings("c1", SETTINGS).accepted(&server).await;
    let diff = "diff --git a/src/fee.c b/src/fee.c\n--- a/src/fee.c\n+++ b/src/fee.c\n@@ -1 +1 @@\n\
        diff --git a/gen/fee.pb.c b/gen/fee.pb.c\n--- a/gen/fee.pb.c\n+++ b/gen/fee.pb.c\n@@ -1 +1 @@\n";
    let on_branch = upload("f1", LCOV)
        .with("branch_name", "fix")
        .with("base_commit", "c1")
        .after("changes", diff.as_bytes());
    let answer = on_branch.accepted(&server).await;
    let changed = &answer["summary"]["changed_lines"];
    assert_eq!(
        (
            &changed["coverable"],
            &changed["files"],
            &changed["unmeasured_files"]
        ),
        (&json!(1), &json!(1), &json!(0))
    );
}

#[tokio::test]
async fn files_that_only_one_side_ignores_are_a_group_of_the_explanation() {
    let server = TestServer::start().await;
    let covered = LCOV.replace("gen/fee.pb.c\nDA:1,0", "gen/fee.pb.c\nDA:1,1");
    upload("c1", &covered).accepted(&server).await;
    let answer = upload("c2", &covered)
        .before("settings", SETTINGS.as_bytes())
        .with("base_commit", "c1")
        .after("changes", b"")
        .accepted(&server)
        .await;
    let group = |covered: i64, total: i64| json!(["ignored", "gen/fee.pb.c", covered, total]);
    let groups = async |answer: &Value| {
        let explanation = format!("{}/explanation", record(answer));
        let explanation = server.get_json(&explanation).await;
        super::explanation::assert_adds_up(&explanation);
        super::explanation::groups(&explanation)
    };
    assert_eq!(groups(&answer).await, [group(-1, -2)]);
    let sentence = |answer: &Value| {
        answer["summary"]["explanation"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let explained = sentence(&answer);
    assert!(
        explained.contains(": gen/fee.pb.c is now ignored,"),
        "{explained}"
    );
    assert_eq!(answer["summary"]["lost_lines"], json!(0));
    let back = upload("c3", &covered)
        .before("settings", b"ignore = []\n")
        .with("base_commit", "c2")
        .after("changes", b"")
        .accepted(&server)
        .await;
    assert_eq!(groups(&back).await, [group(1, 2)]);
    let explained = sentence(&back);
    assert!(
        explained.contains(": gen/fee.pb.c is no longer ignored,"),
        "{explained}"
    );
    let page = format!("/records/{}", back["coverage"]["id"]);
    let page = server.get_text(&page).await;
    assert!(page.contains("file no longer ignored"), "{page}");
}

#[tokio::test]
async fn a_coverage_file_without_files_cannot_be_filtered_and_a_notice_says_so() {
    let server = TestServer::start().await;
    let coverage = "<coverage lines-covered='8' lines-valid='10' line-rate='0.8'/>";
    let upload = upload("c1", coverage).before("settings", SETTINGS.as_bytes());
    let answer = upload.accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], json!(80.0));
    let expected = "The settings ignore files, but the coverage file does not list its files, so all of them count.";
    let notices = answer["summary"]["notices"].as_array().unwrap();
    assert!(notices.contains(&json!(expected)), "{notices:?}");
    assert_eq!(ignored(&answer)["files"], json!(0));
    let page = format!("/records/{}", answer["coverage"]["id"]);
    assert!(server.get_text(&page).await.contains(expected));
}

#[tokio::test]
async fn rules_count_for_the_paths_of_the_repository() {
    let server = TestServer::start().await;
    let coverage = "SF:/builds/7/gen/a.c\nDA:1,0\nend_of_record\nSF:/builds/7/src/b.c\nDA:1,1\nend_of_record\n";
    let long = format!("SF:gen/{}\nDA:1,1\nend_of_record\n", "a/".repeat(512));
    let deep = format!("SF:gen/{}b.c\nDA:1,1\nend_of_record\n", "a/".repeat(63));
    let upload = upload("c1", &[coverage, &long, &deep].concat())
        .before("settings", SETTINGS.as_bytes())
        .before("paths", b"gen/a.c\0src/b.c\0");
    let answer = upload.accepted(&server).await;
    let expected = json!({"files": 1, "covered": 0, "total": 1, "percentage_without_rules": 75.0});
    assert_eq!(ignored(&answer), &expected);
}

#[tokio::test]
async fn rules_that_are_no_patterns_are_refused_with_their_line() {
    let server = TestServer::start().await;
    let many = format!("\nignore = [{}]\n", "\"a\",".repeat(1_001));
    for (settings, expected) in [
        (
            "\nignore = [\"/gen/**\"]\n",
            "line 2: the pattern \"/gen/**\" must be a path",
        ),
        ("ignore = \"gen/**\"\n", "line 1: "),
        (&many, "line 2: expected at most 1000 patterns"),
    ] {
        let (status, problem) = with_settings("c1", settings).refused(&server).await;
        assert_eq!(
            (status, &problem["code"]),
            (422, &json!("invalid_settings"))
        );
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(expected), "{detail}");
    }
    assert!(server.records().await.is_empty());
}
