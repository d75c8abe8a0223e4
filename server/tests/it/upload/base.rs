//! The base record: how it is found, and where the change against it is stated.

use crate::harness::{Archive, Reachable, TestServer, Upload};
use serde_json::{Value, json};

/// The tree `digit` in 40 digits.
fn tree(digit: &str) -> String {
    digit.repeat(40)
}

/// An upload with `covered` of 100 lines.
fn measured(covered: u32, branch: &str, commit: &str) -> Upload {
    let line = |number| format!("DA:{number},{}\n", u8::from(number <= covered));
    let lines: String = (1..=100).map(line).collect();
    let lcov = format!("SF:src/fee.c\n{lines}end_of_record\n");
    let archive = Archive::new().file("coverage.xml", &lcov).tar_gz();
    Upload::of(archive)
        .with("branch_name", branch)
        .with("commit_hash", commit)
        .with("summary", "1")
}

/// The summary that answers an upload.
async fn summary(server: &impl Reachable, upload: Upload) -> Value {
    upload.accepted(server).await["summary"].clone()
}

/// The commit of the base, how it was found, and the change.
fn base(summary: &Value) -> (&str, &str, f64) {
    let of = |field: &str| summary["base"][field].as_str().unwrap_or("none");
    let delta = summary["delta"].as_f64().unwrap_or(f64::NAN);
    (of("commit_hash"), of("found_by"), delta)
}

#[tokio::test]
async fn the_base_is_found_by_commit_then_tree_then_target_branch_then_main_branch() {
    let server = TestServer::start().await;
    let first = summary(
        &server,
        measured(50, "main", "m1").with("tree_hash", &tree("a")),
    )
    .await;
    assert_eq!(
        (&first["base"], &first["delta"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(first["text"], "50.00 %");
    let second = summary(&server, measured(52, "main", "m2")).await;
    assert_eq!(base(&second), ("m1", "main_branch", 2.0));
    assert_eq!(second["text"], "52.00 % (+2.00)");
    summary(&server, measured(60, "release", "r1")).await;

    let on_branch = || {
        measured(55, "fix", "f1")
            .with("target_branch", "release")
            .with("base_tree", &tree("A"))
            .with("base_commit", "m2")
    };
    let by_commit = summary(&server, on_branch()).await;
    assert_eq!(base(&by_commit), ("m2", "commit", 3.0));
    let url = by_commit["base"]["url"].as_str().unwrap();
    assert!(url.ends_with("/records/2"), "{url}");
    assert_eq!(by_commit["base"]["branch_name"], "main");
    let by_tree = summary(&server, on_branch().with("base_commit", "unknown")).await;
    assert_eq!(base(&by_tree), ("m1", "tree", 5.0));
    let gone = on_branch()
        .with("base_commit", "unknown")
        .with("base_tree", &tree("f"));
    let by_target = summary(&server, gone).await;
    assert_eq!(base(&by_target), ("r1", "target_branch", -5.0));
    let unknown = measured(54, "fix", "f2").with("target_branch", "nowhere");
    let by_main = summary(&server, unknown).await;
    assert_eq!(base(&by_main), ("m2", "main_branch", 2.0));
}

#[tokio::test]
async fn a_base_is_of_the_same_repository_and_language_and_complete() {
    let server = TestServer::start().await;
    let other = |upload: Upload| upload.with("tree_hash", &tree("b"));
    for upload in [
        measured(10, "main", "b1").with("repo_name", "other"),
        measured(20, "main", "b1").with("language", "go"),
        measured(30, "dev", "b1")
            .with("part", "unit")
            .with("parts", "unit,e2e"),
    ] {
        other(upload).accepted(&server).await;
    }
    let head = || {
        measured(40, "fix", "h1")
            .with("base_commit", "b1")
            .with("base_tree", &tree("b"))
    };
    let alone = summary(&server, head()).await;
    assert_eq!(
        (&alone["base"], &alone["delta"]),
        (&Value::Null, &Value::Null)
    );
    // A base may arrive after its head, and is then used.
    let late = other(measured(35, "main", "b1")).accepted(&server).await;
    let again = server
        .get_json(&format!("/coverages-api/records/{}", alone["record"]["id"]))
        .await;
    assert_eq!(again["base"]["id"], late["coverage"]["id"]);
    assert_eq!(base(&again), ("b1", "commit", 5.0));
}

#[tokio::test]
async fn a_record_is_never_its_own_base() {
    let server = TestServer::start().await;
    let own = measured(40, "main", "h1")
        .with("base_commit", "h1")
        .with("base_tree", &tree("c"))
        .with("tree_hash", &tree("c"));
    let alone = summary(&server, own).await;
    assert_eq!(alone["base"], Value::Null);
}

#[tokio::test]
async fn pages_and_api_state_one_change_against_one_base() {
    let server = TestServer::start().await;
    measured(50, "main", "m1").accepted(&server).await;
    measured(70, "main", "m2").accepted(&server).await;
    measured(20, "fix", "f1").accepted(&server).await;
    let head = measured(53, "fix", "f2").with("base_commit", "m1");
    let answer = head.accepted(&server).await;
    let id = &answer["coverage"]["id"];
    assert_eq!(base(&answer["summary"]), ("m1", "commit", 3.0));
    assert_eq!(answer["summary"]["base"]["id"], json!(1));
    let comment = answer["summary"]["markdown"].as_str().unwrap();
    assert!(
        comment.starts_with("**Coverage 53.00 %** (+3.00)"),
        "{comment}"
    );
    let record = server.get_text(&format!("/records/{id}")).await;
    for shown in [
        "its base, the commit that its changes start from",
        "href=\"/records/1\" class=\"link mono\">commit m1",
        "+3.00",
        "the previous record on its branch",
        "+33.00",
        "base: commit m1",
        "+3.00: 3 unchanged lines of src/fee.c are now run (+3.00).",
        &format!("href=\"/compare?base=1&amp;head={id}\""),
    ] {
        assert!(record.contains(shown), "{shown} in {record}");
    }
    let before = server
        .get_text(&format!("/records/{id}?against=before"))
        .await;
    assert!(
        before.contains("+33.00: 33 unchanged lines of src/fee.c are now run"),
        "{before}"
    );
    let compared = server.get_text(&format!("/compare?base=1&head={id}")).await;
    assert!(compared.contains("+3.00"), "{compared}");
    for path in [
        "/repos/acme/payments?tab=branches",
        "/repos/acme/payments?branch_name=fix",
    ] {
        let page = server.get_text(path).await;
        let link = format!("href=\"/compare?base=1&amp;head={id}\"");
        assert!(page.contains(&link), "{path}: {page}");
        assert!(page.contains("+3.00"), "{path}: {page}");
    }
}
