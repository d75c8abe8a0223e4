//! An upload in three calls, and a PUT of its body.

use super::{COMMIT, LCOV, payload, post, put, record, refusal, server, stated};
use crate::harness::{Reachable, TOKEN};
use serde_json::{Value, json};

const COMMITS: &str = "/upload/github/acme::::payments/commits";

#[tokio::test]
async fn the_commit_of_the_first_call_has_the_upload_of_the_third() {
    let server = server().await;
    let commit = json!({"branch": "feature", "cli_args": {}, "commitid": COMMIT, "parent_commit_id": null, "pullid": "7", "version": "11.3.1"});
    let made = post(&server, COMMITS).json(&commit).send().await.unwrap();
    assert_eq!(made.status(), 201);
    let reports = format!("{COMMITS}/{COMMIT}/reports");
    let code = json!({"cli_args": {}, "code": "default", "version": "11.3.1"});
    let made = post(&server, &reports).json(&code).send().await.unwrap();
    assert_eq!(made.status(), 201);
    let uploads = format!("{reports}/default/uploads");
    let mut stated = stated();
    for name in ["branch", "commitid", "pullid", "parent_commit_id"] {
        stated.as_object_mut().unwrap().remove(name);
    }
    let made = post(&server, &uploads).json(&stated).send().await.unwrap();
    assert_eq!(made.status(), 201);
    let answer: Value = made.json().await.unwrap();
    let address = answer["raw_upload_location"].as_str().unwrap();
    let stored = put(&server, address, payload(&[("lcov.info", LCOV)])).await;
    assert_eq!(stored.status(), 200);
    let record = record(&server, "acme/payments").await;
    assert_eq!(record["branch_name"], "feature");
    assert_eq!(super::summary(&server, &record).await["pull_request"], "7");
}

#[tokio::test]
async fn an_upload_without_its_commit_is_refused() {
    let server = server().await;
    let uploads = format!("{COMMITS}/{COMMIT}/reports/default/uploads");
    let made = post(&server, &uploads)
        .json(&stated())
        .send()
        .await
        .unwrap();
    let (status, why) = refusal(made).await;
    assert_eq!(status, 422);
    assert!(why.contains("create-commit"), "{why}");
    let bare = server.client.post(server.url(&uploads)).json(&stated());
    assert_eq!(bare.send().await.unwrap().status(), 401);
}

#[tokio::test]
async fn a_wrong_token_is_refused_at_the_first_call() {
    let server = server().await;
    let commit = json!({"branch": "feature", "commitid": COMMIT});
    let request = server.client.post(server.url(COMMITS)).json(&commit);
    let wrong = request.header("authorization", format!("token {TOKEN}x"));
    assert_eq!(wrong.send().await.unwrap().status(), 401);
}
