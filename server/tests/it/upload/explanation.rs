//! Why the percentage of a record changed: groups of lines that add up, lost lines, and lines that flicker.

mod flicker;
mod parts;
mod refusals;

use crate::harness::{Archive, Reachable, TOKEN, TestServer, Upload};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::sleep;

/// An LCOV file: for each file the states of its lines from 1 on, `+`, `-`, or anything else for lines that are not coverable.
fn lcov(files: &[(&str, &str)]) -> String {
    let files = files.iter().map(|(path, states)| {
        let lines = (1..)
            .zip(states.chars())
            .map(|(number, state)| match state {
                '+' => format!("DA:{number},1\n"),
                '-' => format!("DA:{number},0\n"),
                _ => String::new(),
            });
        format!("SF:{path}\n{}end_of_record\n", lines.collect::<String>())
    });
    files.collect()
}

fn upload(commit: &str, files: &[(&str, &str)]) -> Upload {
    let archive = Archive::new().file("coverage.xml", lcov(files)).tar_gz();
    Upload::of(archive)
        .with("commit_hash", commit)
        .with("summary", "1")
}

/// An upload of a branch, with the changes since a commit of the main branch.
fn on_branch(commit: &str, files: &[(&str, &str)], base: &str, diff: &str) -> Upload {
    upload(commit, files)
        .with("branch_name", "fix")
        .with("base_commit", base)
        .after("changes", diff.as_bytes())
}

fn edit(path: &str, hunks: &str) -> String {
    format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n{hunks}")
}

async fn explanation(server: &impl Reachable, answer: &Value, query: &str) -> Value {
    let id = &answer["coverage"]["id"];
    let path = format!("/coverages-api/records/{id}/explanation{query}");
    server.get_json(&path).await
}

/// The groups: cause, path, changes of covered and of all lines.
pub(crate) fn groups(explanation: &Value) -> Vec<Value> {
    let groups = explanation["groups"].as_array().expect("groups").iter();
    let fields = ["cause", "path", "covered_change", "total_change"];
    groups
        .map(|group| {
            fields
                .map(|field| group[field].clone())
                .into_iter()
                .collect()
        })
        .collect()
}

/// Checks that the groups add up to the whole.
pub(crate) fn assert_adds_up(explanation: &Value) {
    let groups = explanation["groups"].as_array().expect("groups");
    let sum: i128 = groups
        .iter()
        .map(|group| i128::from(group["numerator"].as_i64().expect("a number")))
        .sum();
    let whole = explanation["numerator"].as_i64().expect("a number");
    assert_eq!(sum, i128::from(whole), "{explanation}");
    let points = whole as f64 * 100.0 / explanation["denominator"].as_f64().expect("a number");
    let delta = explanation["delta"].as_f64().expect("a number");
    assert!((points - delta).abs() < 0.0101, "{points}: {explanation}");
}

#[tokio::test]
async fn a_change_is_explained_line_by_line_against_the_commit_it_starts_from() {
    let server = TestServer::start().await;
    let base = [("src/fee.c", "++-+-"), ("src/tax.c", "+++++")];
    upload("m1", &base).accepted(&server).await;
    // Line 2 becomes two lines, of which one does not run; line 4 (now 5) is lost, and so is one of the other file.
    let head = [("src/fee.c", "++---+"), ("src/tax.c", "++-++")];
    let answer = on_branch("f1", &head, "m1", &edit("src/fee.c", "@@ -2 +2,2 @@\n"));
    let answer = answer.accepted(&server).await;
    let explanation = explanation(&server, &answer, "").await;
    assert_eq!(
        groups(&explanation),
        [
            json!(["gained", "src/fee.c", 1, 0]),
            json!(["lost", "src/fee.c", -1, 0]),
            json!(["lost", "src/tax.c", -1, 0]),
            json!(["added", "src/fee.c", 1, 2]),
            json!(["removed", "src/fee.c", -1, -1]),
        ]
    );
    assert_adds_up(&explanation);
    assert_eq!(explanation["base"], 1);
    assert_eq!(explanation["head"], answer["coverage"]["id"]);
    assert_eq!(explanation["delta"], answer["summary"]["delta"]);
    assert_eq!(explanation["denominator"], 110);
    let summary = &answer["summary"];
    assert_eq!(summary["lost_lines"], 2);
    assert_eq!(summary["explanation"], explanation["sentence"]);
    let sentence = explanation["sentence"].as_str().unwrap();
    let expected = "−16.36: 2 unchanged lines in 2 files are no longer run (−18.18)";
    assert!(sentence.starts_with(expected), "{sentence}");
    let later = server
        .get_json(&format!("/coverages-api/records/{}", explanation["head"]))
        .await;
    assert_eq!(&later, summary);
}

#[tokio::test]
async fn without_the_diff_only_files_that_did_not_change_are_explained_by_line() {
    let server = TestServer::start().await;
    upload("m1", &[("a.c", "++"), ("b.c", "++")])
        .accepted(&server)
        .await;
    let head = upload("m2", &[("a.c", "+-"), ("b.c", "+++")]);
    let answer = head.accepted(&server).await;
    let explanation = explanation(&server, &answer, "").await;
    assert_eq!(
        groups(&explanation),
        [
            json!(["lost", "a.c", -1, 0]),
            json!(["changed_since", "b.c", 1, 1])
        ]
    );
    assert_adds_up(&explanation);
    assert_eq!(answer["summary"]["lost_lines"], Value::Null);
}

#[tokio::test]
async fn another_base_can_be_named() {
    let server = TestServer::start().await;
    upload("m1", &[("a.c", "++++")]).accepted(&server).await;
    upload("m2", &[("a.c", "+---")]).accepted(&server).await;
    let answer = upload("m3", &[("a.c", "++--")]).accepted(&server).await;
    let own = explanation(&server, &answer, "").await;
    assert_eq!((&own["base"], &own["delta"]), (&json!(2), &json!(25.0)));
    assert_eq!(groups(&own), [json!(["gained", "a.c", 1, 0])]);
    let first = explanation(&server, &answer, "?base=1").await;
    assert_eq!(
        (&first["base"], &first["delta"]),
        (&json!(1), &json!(-50.0))
    );
    assert_eq!(groups(&first), [json!(["lost", "a.c", -2, 0])]);
    assert_adds_up(&first);
}

#[tokio::test]
async fn the_explanation_follows_the_base_and_the_record() {
    let server = TestServer::start().await;
    let head = || on_branch("f1", &[("a.c", "+-")], "m1", "");
    let answer = head().accepted(&server).await;
    assert_eq!(answer["summary"]["explanation"], Value::Null);
    // The base arrives late, and is then replaced.
    upload("m1", &[("a.c", "++")]).accepted(&server).await;
    let late = explanation(&server, &answer, "").await;
    assert_eq!(groups(&late), [json!(["lost", "a.c", -1, 0])]);
    upload("m1", &[("a.c", "--")]).accepted(&server).await;
    let replaced = explanation(&server, &answer, "").await;
    assert_eq!(groups(&replaced), [json!(["gained", "a.c", 1, 0])]);
    // The record is replaced too.
    on_branch("f1", &[("a.c", "--")], "m1", "")
        .accepted(&server)
        .await;
    let same = explanation(&server, &answer, "").await;
    assert_eq!(groups(&same), [Value::Null; 0]);
    assert_eq!(
        same["sentence"],
        "0.00: each line is covered as at the base."
    );
}

#[tokio::test]
async fn what_a_reader_finds_outdated_is_computed_once() {
    let server = TestServer::start().await;
    let head = on_branch("f1", &[("a.c", "+-")], "m1", "");
    let answer = head.accepted(&server).await;
    let base = upload("m1", &[("a.c", "++")]).accepted(&server).await;
    explanation(&server, &answer, "").await;
    let kept = async || -> Option<i64> {
        let kept = sqlx::query_scalar("select base_id from record_analyses where record_id = $1");
        let kept = kept.bind(answer["coverage"]["id"].as_i64());
        kept.fetch_one(&mut server.database().await).await.unwrap()
    };
    for _ in 0..600 {
        if kept().await == base["coverage"]["id"].as_i64() {
            return;
        }
        sleep(Duration::from_millis(100)).await;
    }
    panic!("the analysis is not kept within a minute");
}

#[tokio::test]
async fn what_the_tool_states_beyond_its_lines_is_the_group_other() {
    let server = TestServer::start().await;
    // LH and LF are totals of the tool.
    let stating = |commit: &str, covered: u32| {
        let lcov = format!("SF:a.c\nDA:1,1\nDA:2,0\nLH:{covered}\nLF:10\nend_of_record\n");
        let archive = Archive::new().file("coverage.xml", lcov).tar_gz();
        Upload::of(archive)
            .with("commit_hash", commit)
            .with("summary", "1")
    };
    let cobertura = |commit: &str, covered: u32| {
        let xml = format!(
            "<coverage lines-valid=\"10\" lines-covered=\"{covered}\" line-rate=\"0.{covered}\"><packages><package><classes>\
             <class filename=\"a.c\"><lines><line number=\"1\" hits=\"1\"/></lines></class></classes></package></packages></coverage>"
        );
        let archive = Archive::new().file("coverage.xml", xml).tar_gz();
        Upload::of(archive)
            .with("commit_hash", commit)
            .with("language", "c")
            .with("summary", "1")
    };
    stating("m1", 5).accepted(&server).await;
    let lcov = stating("m2", 6).accepted(&server).await;
    assert_adds_up(&explanation(&server, &lcov, "").await);
    cobertura("m1", 5).accepted(&server).await;
    let answer = cobertura("m2", 6).accepted(&server).await;
    let explanation = explanation(&server, &answer, "").await;
    assert_adds_up(&explanation);
}

#[tokio::test]
async fn hunks_of_another_tree_are_noticed() {
    let server = TestServer::start().await;
    upload("m1", &[("a.c", "++"), ("b.c", "++")])
        .accepted(&server)
        .await;
    let created =
        "diff --git a/a.c b/a.c\nnew file mode 100644\n--- /dev/null\n+++ b/a.c\n@@ -0,0 +1,2 @@\n";
    let head = on_branch("f1", &[("a.c", "+-"), ("b.c", "+-")], "m1", created);
    let answer = head.accepted(&server).await;
    let explanation = explanation(&server, &answer, "").await;
    assert_eq!(
        groups(&explanation),
        [
            json!(["lost", "b.c", -1, 0]),
            json!(["changed_since", "a.c", -1, 0])
        ]
    );
    let notices = answer["summary"]["notices"].to_string();
    assert!(
        notices.contains("does not fit the base and this record, for example in a.c"),
        "{notices}"
    );
}

#[tokio::test]
async fn a_base_whose_tree_differs_is_not_compared_by_hunks() {
    let server = TestServer::start().await;
    let tree = |digit: &str| digit.repeat(40);
    let base = upload("m1", &[("a.c", "++")]).with("tree_hash", &tree("a"));
    base.accepted(&server).await;
    let head = |base_tree: &str| {
        on_branch(
            "f1",
            &[("a.c", "+++")],
            "m1",
            &edit("a.c", "@@ -2,0 +3 @@\n"),
        )
        .with("base_tree", base_tree)
    };
    let answer = head(&tree("a")).accepted(&server).await;
    let exact = explanation(&server, &answer, "").await;
    assert_eq!(groups(&exact), [json!(["added", "a.c", 1, 1])]);
    let answer = head(&tree("b")).accepted(&server).await;
    let other = explanation(&server, &answer, "").await;
    assert_eq!(groups(&other), [json!(["changed_since", "a.c", 1, 1])]);
}
