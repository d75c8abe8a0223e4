//! The history of lines over HTTP: when they came, what is new, and what nothing runs.

use super::lines::refused;
use crate::harness::{Archive, Reachable, TestServer, Upload};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::sleep;

const ONE: &str = "1111111111111111111111111111111111111111";
const TWO: &str = "2222222222222222222222222222222222222222";

fn upload(commit: &str, lcov: &str) -> Upload {
    Upload::of(Archive::new().file("coverage.xml", lcov).tar_gz()).with("commit_hash", commit)
}

/// Two records of the main branch: the second adds the lines 2 and 3, of which one runs.
pub(crate) async fn two_records(server: &TestServer) {
    let first = "SF:src/fee.c\nDA:1,1\nDA:2,0\nend_of_record\n";
    upload(ONE, first).accepted(server).await;
    with_history(server, 1).await;
    let second = "SF:src/fee.c\nDA:1,0\nDA:2,1\nDA:3,0\nDA:4,0\nend_of_record\n";
    let diff =
        "diff --git a/src/fee.c b/src/fee.c\n--- a/src/fee.c\n+++ b/src/fee.c\n@@ -1,0 +2,2 @@\n";
    let second = upload(TWO, second).with("base_commit", ONE);
    let second = second.before("changes", diff.as_bytes());
    second.accepted(server).await;
    with_history(server, 2).await;
}

/// Waits until a record has a history: it is computed after the answer to the upload.
pub(crate) async fn with_history(server: &TestServer, id: i64) {
    for _ in 0..600 {
        let path = format!("/coverages-api/records/{id}/new?since=1d");
        if server.get(&path).await.status() == 200 {
            return;
        }
        sleep(Duration::from_millis(100)).await;
    }
    panic!("record {id} has no history within a minute");
}

#[tokio::test]
async fn each_line_says_when_it_came_and_when_it_last_ran() {
    let server = TestServer::start().await;
    two_records(&server).await;
    let lines = "/coverages-api/records/2/lines?path=src/fee.c";
    let answer = server.get_json(&format!("{lines}&history")).await;
    let ranges = answer["history"].as_array().unwrap();
    let shown: Vec<_> = ranges
        .iter()
        .map(|range| {
            let id = |name: &str| range[name]["id"].clone();
            json!([
                range["from"],
                range["to"],
                id("after"),
                id("at"),
                id("last_run")
            ])
        })
        .collect();
    let expected = [
        json!([1, 1, null, 1, 1]),
        json!([2, 2, 1, 2, 2]),
        json!([3, 3, 1, 2, null]),
        json!([4, 4, null, 1, null]),
    ];
    assert_eq!(shown, expected);
    assert_eq!(ranges[0]["at"]["commit_hash"], ONE);
    assert!(
        ranges[0]["at"]["created_at"]
            .as_str()
            .unwrap()
            .ends_with("+00:00")
    );
    assert_eq!(server.get_json(lines).await.get("history"), None);
}

#[tokio::test]
async fn new_lines_are_counted_since_a_record() {
    let server = TestServer::start().await;
    two_records(&server).await;
    let answer = server
        .get_json("/coverages-api/records/2/new?since=record:1")
        .await;
    let expected = json!({
        "since": answer["since"],
        "covered": 1,
        "coverable": 2,
        "percentage": 50.0,
        "unknown": 0,
        "files": [{
            "path": "src/fee.c", "covered": 1, "coverable": 2, "unknown": 0, "missed": [[3, 3]]
        }],
    });
    assert_eq!(answer, expected);
    assert_eq!(
        (&answer["since"]["id"], &answer["since"]["commit_hash"]),
        (&json!(1), &json!(ONE))
    );
    // The history begins today: older lines may be new.
    let default = server.get_json("/coverages-api/records/2/new").await;
    assert_eq!(
        (&default["since"], &default["unknown"]),
        (&Value::Null, &json!(2))
    );
    let none = server
        .get_json("/coverages-api/records/2/new?since=record:2")
        .await;
    assert_eq!(
        (&none["percentage"], &none["files"]),
        (&Value::Null, &json!([]))
    );
}

#[tokio::test]
async fn the_overview_and_an_org_show_the_new_code_after_an_upload() {
    let server = TestServer::start().await;
    two_records(&server).await;
    let new = server.get_json("/coverages-api/records/2/new").await;
    assert_eq!((&new["coverable"], &new["unknown"]), (&json!(2), &json!(2)));
    let shown = "New code 50.00\u{202f}% of 2 lines, 2 may be new";
    for attempt in 0.. {
        // It is counted after the history, which is computed after the answer to the upload.
        let overview = server.get_text("/").await;
        if overview.contains(shown) {
            break;
        }
        assert!(attempt < 600, "not within a minute: {overview}");
        sleep(Duration::from_millis(100)).await;
    }
    for page in ["/orgs", "/orgs/acme"] {
        let page = server.get_text(page).await;
        assert!(page.contains("1 of 2 new lines ran"), "{page}");
    }
}

#[tokio::test]
async fn a_missing_history_and_an_unknown_position_have_codes_of_their_own() {
    let server = TestServer::start().await;
    two_records(&server).await;
    let branch = upload(TWO, "SF:a.c\nDA:1,1\nend_of_record\n").with("branch_name", "feature");
    branch.accepted(&server).await;
    let record = "/coverages-api/records";
    let cold = "/coverages-api/cold?org_name=acme&repo_name=payments";
    for (path, status, code) in [
        (format!("{record}/3/new"), 404, "no_history"),
        (
            format!("{record}/3/lines?path=a.c&history"),
            404,
            "no_history",
        ),
        (format!("{record}/9/new"), 404, "not_found"),
        (
            format!("{record}/2/new?since=record:9"),
            422,
            "unknown_since",
        ),
        (
            format!("{record}/2/new?since=commit:9999999"),
            422,
            "unknown_since",
        ),
        (format!("{record}/2/new?since=tag:v1"), 422, "unknown_since"),
        (
            format!("{record}/2/new?since=yesterday"),
            422,
            "invalid_parameter",
        ),
        (format!("{cold}&language=cobol"), 404, "no_history"),
        (
            format!("{cold}&language=rust&days=0"),
            422,
            "invalid_parameter",
        ),
    ] {
        assert_eq!(
            refused(&server, &path).await,
            (status, json!(code)),
            "{path}"
        );
    }
    let cold = server.get_json(&format!("{cold}&language=rust")).await;
    assert_eq!(cold, json!({"days": 90, "known_days": 0, "files": []}));
}
