//! The verdict of a gate about a record.

use super::*;
use serde_json::{Value, json};

/// So many covered lines of 100, of `src/fee.c`.
fn measured(covered: u32, commit: &str) -> Upload {
    let line = |number| format!("DA:{number},{}\n", u8::from(number <= covered));
    let lines: String = (1..=100).map(line).collect();
    let lcov = format!("SF:src/fee.c\n{lines}end_of_record\n");
    Upload::of(Archive::new().file("coverage.xml", &lcov).tar_gz())
        .with("commit_hash", commit)
        .with("summary", "1")
}

/// The same on a branch whose changes add these lines to the commit `m1`.
fn on_branch(covered: u32, commit: &str, hunk: &str) -> Upload {
    let diff =
        format!("diff --git a/src/fee.c b/src/fee.c\n--- a/src/fee.c\n+++ b/src/fee.c\n{hunk}\n");
    measured(covered, commit)
        .with("branch_name", "fix")
        .with("base_commit", "m1")
        .after("changes", diff.as_bytes())
}

async fn verdict(server: &TestServer, upload: Upload) -> Value {
    upload.accepted(server).await["summary"]["gate"].clone()
}

#[tokio::test]
async fn a_gate_judges_changed_and_lost_lines_and_the_floor() {
    let server = TestServer::start().await;
    assert_eq!(verdict(&server, measured(80, "m1")).await, Value::Null);
    let rules = [
        "set",
        "--org=acme",
        "--repo=payments",
        "--changed=80",
        "--lost=0",
        "--floor=70",
    ];
    gate(&server, &rules).unwrap();
    // Lines 71 to 80 are changed, and 75 of 100 lines run: 5 of 10 changed lines.
    let failed = verdict(&server, on_branch(75, "f1", "@@ -71,10 +71,10 @@")).await;
    let expected = json!({
        "verdict": "failed",
        "reasons": ["5 of 10 changed lines are covered, 80 % needs 8: src/fee.c 76–80"],
        "skipped": []
    });
    assert_eq!(failed, expected);
    // The same lines are lost if they are not changed.
    let lost = verdict(&server, on_branch(69, "f2", "@@ -81,10 +81,10 @@")).await;
    assert_eq!(lost["verdict"], "failed");
    let reasons = lost["reasons"].to_string();
    for expected in [
        "0 of 10 changed lines are covered, 80 % needs 8: src/fee.c 81–90",
        "11 unchanged lines are no longer run, 0 are allowed: src/fee.c 70–80",
        "69 of 100 lines are covered, 70 % needs 70",
    ] {
        assert!(reasons.contains(expected), "{reasons}");
    }
    let passed = verdict(&server, on_branch(80, "f3", "@@ -1,10 +1,10 @@")).await;
    let expected = json!({"verdict": "passed", "reasons": [], "skipped": []});
    assert_eq!(passed, expected);
    let page = server.get_text("/records/2").await;
    assert!(page.contains("The gate failed"), "{page}");
    // Without changes, only the floor applies.
    let upload = measured(71, "f4").with("branch_name", "fix");
    let floor = verdict(&server, upload).await;
    assert_eq!(floor["verdict"], "passed");
    let skipped = json!([
        "changed: no changes were sent",
        "lost: there is no record of the base commit"
    ]);
    assert_eq!(floor["skipped"], skipped);
}

#[tokio::test]
async fn a_trend_marks_the_records_whose_gate_failed() {
    let server = TestServer::start().await;
    verdict(&server, measured(80, "m1")).await;
    let of = |parameters: &str| {
        format!("/coverages-api/trend?org_name=acme&repo_name=payments{parameters}")
    };
    let trend = server.get_json(&of("")).await;
    assert_eq!(trend["series"][0].get("failed"), None, "{trend}");
    let rules = ["set", "--org=acme", "--repo=payments", "--floor=70"];
    gate(&server, &rules).unwrap();
    for (commit, covered) in [("m2", 75), ("m3", 60), ("m4", 72)] {
        verdict(&server, measured(covered, commit)).await;
    }
    let trend = server.get_json(&of("&branch_name=main")).await;
    assert_eq!(trend["series"][0]["failed"], json!([2]), "{trend}");
    let page = server.get_text("/repos/acme/payments").await;
    assert!(page.contains("class=\"failed\""), "{page}");
    assert!(page.contains("gate failed"));
}

#[tokio::test]
async fn settings_count_only_from_the_main_branch() {
    let server = TestServer::start().await;
    let settings = |floor: u32| format!("[gate]\nfloor = {floor}\n");
    let main = measured(80, "m1").before("settings", settings(70).as_bytes());
    assert_eq!(verdict(&server, main).await["verdict"], "passed");
    // A pull request cannot lower its own floor.
    let lower = on_branch(60, "f1", "@@ -1 +1 @@").before("settings", settings(10).as_bytes());
    assert_eq!(verdict(&server, lower).await["verdict"], "failed");
    let main = measured(80, "m2").before("settings", settings(50).as_bytes());
    main.accepted(&server).await;
    let now = server.get_json("/coverages-api/records/2").await;
    assert_eq!(now["gate"]["verdict"], "passed");
}

#[tokio::test]
async fn missing_parts_make_a_verdict_incomplete_until_they_arrive() {
    let server = TestServer::start().await;
    // The start creates the database.
    server.get("/coverages-api/health").await;
    gate(&server, &["set", "--org=acme", "--floor=90"]).unwrap();
    let part = |name: &str, covered| {
        measured(covered, "c1")
            .with("part", name)
            .with("parts", "unit,e2e")
    };
    let waiting = verdict(&server, part("unit", 80)).await;
    let expected = json!({"verdict": "incomplete", "reasons": ["waiting for e2e"], "skipped": []});
    assert_eq!(waiting, expected);
    let arrived = verdict(&server, part("e2e", 95)).await;
    assert_eq!(arrived["verdict"], "passed");
}
