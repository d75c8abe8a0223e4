//! Uploads for commits that a merge queue tests.

use super::{
    COMMIT, LCOV, UPLOAD, newest_attempt, payload, put, record, server, server_with, stated_with,
    upload,
};
use crate::harness::{Reachable, SigningKey, TestIssuer};
use jsonwebtoken::get_current_timestamp;
use serde_json::{Value, json};

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
