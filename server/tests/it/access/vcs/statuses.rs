//! The commit statuses that the service writes.

use super::{GOOD, server_with, upload};
use crate::harness::{
    Archive, COMMIT, ForgeBehaviour, ForgeStandIn, KINDS, Kind, Reachable, Upload,
};
use axum::http::Method;
use serde_json::json;
use std::time::Duration;
use tokio::time::sleep;

#[tokio::test]
async fn a_pending_status_proves_a_token_and_the_result_follows() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &[]).await;
        let answer = upload(&forge, 80).accepted(&server).await;
        let calls = forge.calls();
        assert_eq!(forge.states(), ["pending", "success"], "{kind:?}");
        let path = match kind {
            Kind::GitHub => format!("/repos/acme/payments/statuses/{COMMIT}"),
            Kind::GitLab => format!("/api/v4/projects/acme%2Fpayments/statuses/{COMMIT}"),
            Kind::Gitea => format!("/api/v1/repos/acme/payments/statuses/{COMMIT}"),
        };
        for call in &calls {
            assert_eq!((&call.method, &call.path), (&Method::POST, &path));
            let agent = call.headers["user-agent"].to_str().unwrap();
            assert!(agent.starts_with("coverage-dashboard/"), "{agent}");
        }
        let url = format!(
            "https://coverage.example.com/records/{}",
            answer["coverage"]["id"]
        );
        let mut expected = json!({
            "state": "success", "description": "80.00 %", "target_url": url,
        });
        match kind {
            Kind::GitLab => {
                expected["name"] = json!("coverage/rust");
                expected["ref"] = json!("main");
                expected["coverage"] = json!(80.0);
            }
            _ => expected["context"] = json!("coverage/rust"),
        }
        assert_eq!(calls[1].body, expected, "{kind:?}");
    }
}

#[tokio::test]
async fn a_status_states_the_change_against_main_or_the_record_before() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    let commit = |digit: &str| digit.repeat(40);
    let uploads = [
        ("main", "1", 80, "80.00 %"),
        ("main", "2", 82, "82.00 % (+2.00 against the record before)"),
        ("feature/x", "3", 81, "81.00 % (−1.00 against main)"),
        ("feature/x", "4", 82, "82.00 % (0.00 against main)"),
    ];
    for (branch, digit, covered, description) in uploads {
        upload(&forge, covered)
            .with("branch_name", branch)
            .with("commit_hash", &commit(digit))
            .accepted(&server)
            .await;
        let last = forge.calls().pop().unwrap();
        assert_eq!(last.body["description"], description);
    }
    upload(&forge, 10)
        .with("branch_name", "feature/x")
        .with("language", "go")
        .accepted(&server)
        .await;
    let last = forge.calls().pop().unwrap();
    assert_eq!(last.body["description"], "10.00 %", "main has no Go");
    assert_eq!(last.body["context"], "coverage/go");
}

#[tokio::test]
async fn coverage_below_the_minimum_is_stored_with_a_failed_status() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &["--minimum-coverage", "72.5"]).await;
        upload(&forge, 72).accepted(&server).await;
        let last = forge.calls().pop().unwrap();
        let failure = if kind == Kind::GitLab {
            "failed"
        } else {
            "failure"
        };
        assert_eq!(last.body["state"], failure);
        let description = last.body["description"].as_str().unwrap();
        assert_eq!(description, "72.00 % is below the minimum of 72.50 %");
        upload(&forge, 73).accepted(&server).await;
        assert_eq!(forge.calls().pop().unwrap().body["state"], "success");
    }
}

#[tokio::test]
async fn the_status_of_the_whole_commit_states_the_verdict_of_the_gate() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &[]).await;
        // The start creates the database.
        server.get("/coverages-api/health").await;
        let set = ["gate", "set", "--org=acme", "--floor=75"];
        assert!(server.command(&set).status().unwrap().success());
        upload(&forge, 74).accepted(&server).await;
        let name = match kind {
            Kind::GitLab => "name",
            _ => "context",
        };
        let last = forge.calls().pop().unwrap().body;
        assert_eq!(last[name], "coverage");
        assert_eq!(
            last["description"],
            "74.00 %; gate failed: 74 of 100 lines are covered, 75 % needs 75"
        );
        let go = upload(&forge, 80).with("language", "go");
        go.accepted(&server).await;
        let last = forge.calls().pop().unwrap().body;
        assert_eq!(last["description"], "rust failed; 80.00 %");
    }
}

#[tokio::test]
async fn an_upload_with_a_part_has_a_status_of_the_whole_commit() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    let part = |name: &str| {
        let lcov = "SF:a.c\nDA:1,1\nDA:2,1\nDA:3,1\nDA:4,1\nDA:5,0\nend_of_record\n";
        Upload::of(Archive::report("<p>", lcov).tar_gz())
            .with("commit_hash", COMMIT)
            .with("vcs_api_url", &forge.api())
            .authorization(Some(&format!("Bearer {GOOD}")))
            .with("part", name)
            .with("parts", "unit,e2e")
    };
    part("unit").accepted(&server).await;
    let last = forge.calls().pop().unwrap().body;
    let state = (&last["context"], &last["state"]);
    assert_eq!(state, (&json!("coverage"), &json!("pending")));
    assert_eq!(last["description"], "80.00 %; waiting for e2e");
    part("e2e").accepted(&server).await;
    let last = forge.calls().pop().unwrap().body;
    let state = (&last["context"], &last["state"]);
    assert_eq!(state, (&json!("coverage"), &json!("success")));
}

#[tokio::test]
async fn a_refused_upload_states_its_reason_in_the_status() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &[]).await;
        let refused = upload(&forge, 80).with("coverage_xml_file_name", "other.xml");
        let (status, problem) = refused.refused(&server).await;
        assert_eq!(
            (status, &problem["code"]),
            (422, &json!("coverage_file_not_found"))
        );
        let error = if kind == Kind::GitLab {
            "failed"
        } else {
            "error"
        };
        assert_eq!(forge.states(), ["pending", error]);
        let description = forge.calls()[1].body["description"]
            .as_str()
            .unwrap()
            .to_owned();
        let detail = problem["detail"].as_str().unwrap();
        let same = description.trim_end_matches('…');
        assert!(detail.starts_with(same) && same.len() > 50, "{description}");
        assert!(forge.calls()[1].body.get("target_url").is_none());
    }
}

#[tokio::test]
async fn a_result_that_a_forge_could_not_accept_is_sent_later() {
    let forge = ForgeStandIn::start(Kind::GitLab).await;
    let server = server_with(&[&forge], &[]).await;
    upload(&forge, 80).accepted(&server).await;
    forge.behave(ForgeBehaviour::Answer(502, vec![], String::new()));
    upload(&forge, 90).accepted(&server).await;
    forge.behave(ForgeBehaviour::Documented);
    let written = forge.calls().len();
    while forge.calls().len() == written {
        sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(forge.calls().pop().unwrap().body["coverage"], 90.0);
}

#[tokio::test]
async fn a_late_result_never_replaces_a_newer_one() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    upload(&forge, 80).accepted(&server).await;
    forge.behave(ForgeBehaviour::Answer(503, vec![], String::new()));
    upload(&forge, 80)
        .with("coverage_xml_file_name", "other.xml")
        .refused(&server)
        .await;
    forge.behave(ForgeBehaviour::Documented);
    upload(&forge, 90).accepted(&server).await;
    // The shutdown waits for statuses that are still to be sent.
    server.stop().await;
    assert_eq!(forge.states(), ["pending", "success", "error", "success"]);
}

#[tokio::test]
async fn a_status_refused_by_the_forge_does_not_change_the_upload() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &[]).await;
    upload(&forge, 80).accepted(&server).await;
    forge.behave(ForgeBehaviour::Answer(500, vec![], String::new()));
    // The token is cached, so only the result is sent, and the forge refuses it.
    let answer = upload(&forge, 90).accepted(&server).await;
    assert_eq!(answer["coverage"]["percentage"], 90.0);
    assert_eq!(forge.states(), ["pending", "success", "success"]);
}
