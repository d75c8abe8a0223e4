//! Uploads for commits that a merge queue tests.

use super::{
    COMMIT, LCOV, UPLOAD, newest_attempt, payload, put, record, server, server_with, stated_with,
    upload,
};
use crate::{
    clients::foreign::coveralls,
    harness::{
        ForgeStandIn, GOOD, Kind, Reachable, SigningKey, TestIssuer, TestServer, within_deadline,
    },
};
use jsonwebtoken::get_current_timestamp;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::sleep;

#[tokio::test]
async fn a_branch_of_a_merge_queue_gives_a_provisional_record() {
    let server = server().await;
    let main = stated_with(json!({"branch": "main", "commitid": "f".repeat(40)}));
    upload(&server, &main, &[("lcov.info", LCOV)]).await;
    let entry = format!("gh-readonly-queue/main/pr-7-{COMMIT}");
    let queued = stated_with(json!({ "branch": entry }));
    upload(&server, &queued, &[("lcov.info", LCOV)]).await;
    let row = newest_attempt(&server).await;
    assert!(row.detail.contains("merge queue"), "{}", row.detail);
    assert_eq!(
        record(&server, "acme/payments").await["branch_name"],
        "main"
    );
    let listed = server.current_records().await;
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0]["commit_hash"], "f".repeat(40));
}

#[tokio::test]
async fn an_entry_of_a_client_is_compared_with_the_entry_before_and_lands_by_a_later_upload() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let listed = forge.listed();
    let accept = ["--accept", "codecov,coveralls", "--vcs-api-urls", &listed];
    let server = TestServer::start_with(&[&accept[..], &["vcs_queue_seconds", "0"]].concat()).await;
    let by_codecov = async |branch: &str, commit: char| {
        let stated = stated_with(json!({"branch": branch, "commitid": sha(commit)}));
        let call = server.client.post(server.url(UPLOAD)).json(&stated);
        let call = call.header("authorization", format!("token {GOOD}"));
        let answer: Value = call.send().await.unwrap().json().await.unwrap();
        let address = answer["raw_upload_location"].as_str().expect("an address");
        let stored = put(&server, address, payload(&[("lcov.info", LCOV)])).await;
        assert_eq!(stored.status(), 200);
    };
    let by_coveralls = async |branch: &str, commit: char| {
        let job = coveralls::job();
        let git = json!({"branch": branch, "head": {"id": sha(commit)}, "remotes": job["git"]["remotes"]});
        let members = json!({"repo_token": GOOD, "service_name": "github", "git": git});
        let job = coveralls::with(job, &members);
        assert_eq!(coveralls::send(&server, &job).await.status(), 200);
    };
    let entry = |base: char| format!("gh-readonly-queue/main/pr-7-{}", sha(base));
    by_codecov("main", 'a').await;
    for commit in ['b', 'c'] {
        forge.leave_out("main", &sha(commit));
    }
    by_codecov(&entry('a'), 'b').await;
    by_coveralls(&entry('b'), 'c').await;
    let current = server.current_records().await;
    assert_eq!(current.len(), 1, "{current:?}");
    let all = server.get_json("/coverages-api/records/3").await;
    assert_eq!(all["record"]["commit_hash"], sha('c'), "{all}");
    assert_eq!(all["base"]["commit_hash"], sha('b'), "{all}");
    for commit in ['b', 'c'] {
        forge.let_in("main", &sha(commit));
    }
    by_codecov("fix", 'f').await;
    within_deadline(async {
        loop {
            let current = server.current_records().await;
            let main = current
                .iter()
                .find(|record| record["branch_name"] == "main");
            if main.is_some_and(|record| record["commit_hash"] == sha('c')) {
                return;
            }
            sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

/// A commit whose name is this character.
fn sha(name: char) -> String {
    name.to_string().repeat(40)
}

#[tokio::test]
async fn the_identity_names_the_queue_whose_name_the_client_cuts() {
    let key = SigningKey::p256("k1");
    let issuer = TestIssuer::start(&[&key]).await;
    let listed = format!("github={}", issuer.url);
    let server = server_with(&["--oidc-issuers", &listed]).await;
    let now = get_current_timestamp();
    let entry = format!("refs/heads/gh-readonly-queue/release/1.0/pr-7-{COMMIT}");
    let identity = json!({
        "iss": issuer.url, "aud": server.url("/"), "iat": now, "nbf": now, "exp": now + 300,
        "repository": "acme/payments", "ref": entry, "sha": COMMIT, "event_name": "merge_group", "actor": "kim",
    });
    let stated = stated_with(json!({"branch": "release"}));
    let request = server.client.post(server.url(UPLOAD)).json(&stated);
    let request = request.header("authorization", format!("token {}", key.token(&identity)));
    let answer: Value = request.send().await.unwrap().json().await.unwrap();
    let address = answer["raw_upload_location"].as_str().expect("an address");
    let stored = put(&server, address, payload(&[("lcov.info", LCOV)])).await;
    assert_eq!(stored.status(), 200);
    let row = newest_attempt(&server).await;
    assert!(row.detail.contains("merge queue"), "{}", row.detail);
    let record = record(&server, "acme/payments").await;
    assert_eq!(record["branch_name"], "release/1.0");
}
