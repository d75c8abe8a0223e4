//! The events that receivers are notified of.

use super::{SECRET, notifying, started, upload};
use crate::harness::{Archive, Notified, Receiver, TestServer, Upload, cobertura, within_deadline};
use serde_json::json;
use standardwebhooks::Webhook;
use std::time::Duration;
use tokio::time::sleep;

/// An upload with a gate.
fn gated(covered: u32, commit: &str) -> Upload {
    Upload::of(Archive::report("<p>", &cobertura(covered, 100)).tar_gz())
        .with("commit_hash", commit)
        .with("branch_name", "fix/tax")
        .before("settings", b"[gate]\nfloor = 90\n")
}

const LEFT: &str = "
    select (select count(*) from unnotified_records u left join record_completions c on c.record_id = u.record_id
            where c.waits_until is null)
        + (select count(*) from notification_deliveries where due_at is not null)";

/// Uploads a failing record of another repository, and waits until nothing is left to be notified. Its notification is the last
/// one of the result, although repositories take turns.
async fn marked(server: &TestServer, receiver: &Receiver, count: usize) -> Vec<Notified> {
    gated(1, "marker")
        .with("repo_name", "marker")
        .accepted(server)
        .await;
    receiver.wait_for(count + 1).await;
    let mut database = server.database().await;
    within_deadline(async {
        while sqlx::query_scalar::<_, i64>(LEFT)
            .fetch_one(&mut database)
            .await
            .unwrap()
            > 0
        {
            sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    let mut notified = receiver.wait_for(count + 1).await;
    assert_eq!(notified.len(), count + 1, "{notified:#?}");
    notified.sort_by_key(|one| one.body["data"]["repo_name"] == "marker");
    notified
}

#[tokio::test]
async fn a_drop_of_the_main_branch_is_notified_once_and_signed() {
    let receiver = Receiver::start().await;
    let server = notifying(&receiver).await;
    upload(&server, "c1", 85).await;
    let record = upload(&server, "c2", 82).await;
    upload(&server, "c2", 82).await;
    upload(&server, "c3", 90).await;
    let notified = receiver.wait_for(1).await;
    let own = &notified[0];
    assert_eq!(own.path, "/hook");
    assert_eq!(own.headers["content-type"], "application/json");
    let timestamp = own.body["timestamp"].clone();
    assert_eq!(
        own.body,
        json!({
            "type": "coverage.dropped",
            "timestamp": timestamp,
            "data": {
                "org_name": "acme",
                "repo_name": "payments",
                "record_id": record["coverage"]["id"],
                "branch_name": "main",
                "commit_hash": "c2",
                "language": "rust",
                "percentage": 82.00,
                "base_percentage": 85.00,
                "url": format!("https://coverage.example.com/records/{}", record["coverage"]["id"]),
                "text": "acme/payments: coverage of main (rust, c2) dropped from 85.00 % to 82.00 % (−3.00)",
            }
        })
    );
    // The library of the specification's authors agrees.
    let verifier = Webhook::new(SECRET).unwrap();
    verifier.verify(own.text.as_bytes(), &own.headers).unwrap();
    let changed = own.text.replace("82.00", "92.00");
    verifier
        .verify(changed.as_bytes(), &own.headers)
        .unwrap_err();
    let notified = marked(&server, &receiver, 1).await;
    assert_ne!(own.headers["webhook-id"], notified[1].headers["webhook-id"]);
}

#[tokio::test]
async fn small_drops_other_branches_and_superseded_commits_are_not_drops() {
    let receiver = Receiver::start().await;
    let server = notifying(&receiver).await;
    upload(&server, "c1", 85).await;
    let half = "<coverage lines-covered=\"845\" lines-valid=\"1000\" line-rate=\"0.845\"><packages/></coverage>";
    Upload::of(Archive::report("<p>", half).tar_gz())
        .with("commit_hash", "c2")
        .accepted(&server)
        .await;
    Upload::of(Archive::report("<p>", &cobertura(10, 100)).tar_gz())
        .with("commit_hash", "c3")
        .with("branch_name", "fix/tax")
        .accepted(&server)
        .await;
    let notified = marked(&server, &receiver, 0).await;
    assert_eq!(notified[0].body["data"]["repo_name"], "marker");
}

#[tokio::test]
async fn a_drop_is_counted_from_the_record_before_on_the_main_branch() {
    let receiver = Receiver::start().await;
    let server = notifying(&receiver).await;
    upload(&server, "c1", 90).await;
    // Only a branch has measured the commit that the next one starts from.
    let measured = |branch: &str, commit: &str, covered| {
        Upload::of(Archive::report("<p>", &cobertura(covered, 100)).tar_gz())
            .with("branch_name", branch)
            .with("commit_hash", commit)
    };
    measured("fix/tax", "c2", 89).accepted(&server).await;
    measured("main", "c3", 80)
        .with("base_commit", "c2")
        .accepted(&server)
        .await;
    let notified = receiver.wait_for(1).await;
    assert_eq!(notified[0].body["data"]["base_percentage"], 90.0);
}

#[tokio::test]
async fn a_failed_gate_is_notified_once_with_its_reasons() {
    let receiver = Receiver::start().await;
    let server = notifying(&receiver).await;
    gated(95, "c0")
        .with("branch_name", "main")
        .accepted(&server)
        .await;
    gated(95, "c1").accepted(&server).await;
    gated(80, "c2")
        .with("pull_request", "7")
        .accepted(&server)
        .await;
    gated(80, "c2")
        .with("pull_request", "7")
        .accepted(&server)
        .await;
    let notified = marked(&server, &receiver, 1).await;
    let body = &notified[0].body;
    assert_eq!(body["type"], "gate.failed");
    let data = &body["data"];
    assert_eq!(
        (&data["branch_name"], &data["pull_request"]),
        (&json!("fix/tax"), &json!("7")),
        "{body}"
    );
    let reason = data["reasons"][0].as_str().unwrap();
    assert!(reason.contains("90 % needs 90"), "{reason}");
    let text = data["text"].as_str().unwrap();
    assert_eq!(
        text,
        format!("acme/payments: the gate failed on fix/tax (rust, c2): {reason}")
    );
}

#[tokio::test]
async fn a_record_that_waits_for_parts_is_notified_when_it_is_complete() {
    let receiver = Receiver::start().await;
    let server = notifying(&receiver).await;
    let part = |name: &str| {
        let lcov = "SF:a.c\nDA:1,1\nDA:2,0\nend_of_record\n";
        Upload::of(Archive::new().file("coverage.xml", lcov).tar_gz())
            .with("part", name)
            .with("parts", "a,b")
            .before("settings", b"[gate]\nfloor = 90\n")
    };
    part("a").accepted(&server).await;
    let notified = marked(&server, &receiver, 0).await;
    assert_eq!(notified[0].body["data"]["repo_name"], "marker");
    part("b").accepted(&server).await;
    let notified = receiver.wait_for(2).await;
    assert_eq!(notified[1].body["data"]["repo_name"], "payments");
}

#[tokio::test]
async fn only_chosen_events_of_the_own_org_are_notified() {
    let receiver = Receiver::start().await;
    let hooks = format!(
        "json={},acme/tools:json={}",
        receiver.url("/all"),
        receiver.url("/tools")
    );
    let server = started(&hooks, &["--webhook-events", "drop=2"]).await;
    gated(10, "c1").accepted(&server).await;
    for (org, covered) in [
        ("acme", 90),
        ("acme", 80),
        ("acme/tools/x", 90),
        ("acme/tools/x", 80),
    ] {
        Upload::of(Archive::report("<p>", &cobertura(covered, 100)).tar_gz())
            .with("commit_hash", &format!("c{covered}"))
            .with("org_name", org)
            .with("repo_name", "web")
            .accepted(&server)
            .await;
    }
    let notified = receiver.wait_for(3).await;
    let mut paths: Vec<_> = notified
        .iter()
        .map(|own| {
            (
                own.path.as_str(),
                own.body["data"]["org_name"].as_str().unwrap(),
            )
        })
        .collect();
    paths.sort_unstable();
    assert_eq!(
        paths,
        [
            ("/all", "acme"),
            ("/all", "acme/tools/x"),
            ("/tools", "acme/tools/x")
        ]
    );
}
