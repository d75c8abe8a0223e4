//! Uploads after an upgrade: with the tokens of the older service, to its repositories.

use super::seed::token;
use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use serde_json::json;

fn upload(covered: u32, token: &str) -> Upload {
    Upload::of(Archive::report("<h1>new</h1>", &cobertura(covered, 1_000)).tar_gz())
        .authorization(Some(&format!("Bearer {token}")))
}

/// Checks that tokens still work as they did, and that new uploads go on where the older ones ended.
pub async fn assert_accepted(server: &TestServer) {
    let ci = token("ci");
    let new = upload(810, &ci).with("commit_hash", "c5");
    let new = new.accepted(server).await["coverage"].clone();
    assert!(new["id"].as_i64().unwrap() > 8, "{new}");
    assert_eq!(new["percentage"], json!(81.0));
    let id = &new["id"];
    let records = server.records().await;
    assert_eq!(&records[0]["id"], id, "the newest comes first");
    let current = server.current_records().await;
    let is_current = |id: &serde_json::Value| current.iter().any(|record| &record["id"] == id);
    assert!(is_current(id) && !is_current(&json!(6)), "{current:?}");
    let report = server.get_text(&format!("/reports/{id}/index.html")).await;
    assert_eq!(report, "<h1>new</h1>");
    let badge = "/coverages-api/badge.json?org_name=acme&repo_name=payments&language=rust";
    assert_eq!(server.get_json(badge).await["message"], "81.00%");

    // A retry of an older commit, with names in another case.
    let retry = upload(510, &ci)
        .with("org_name", "Acme/Platform")
        .with("repo_name", "web")
        .with("branch_name", "dev")
        .with("commit_hash", "e2")
        .with("language", "typescript");
    let retry = retry.accepted(server).await["coverage"].clone();
    let kept = (&retry["id"], &retry["repo_name"], &retry["percentage"]);
    assert_eq!(kept, (&json!(2), &json!("Web"), &json!(51.0)));

    let elsewhere = upload(1, &token("acme")).with("org_name", "zoo");
    assert_eq!(elsewhere.refused(server).await.0, 403);
    let revoked = upload(1, &token("left"));
    assert_eq!(revoked.refused(server).await.0, 401);
    let scoped = upload(820, &token("acme")).with("commit_hash", "c6");
    scoped.accepted(server).await;
    let path = server.url("/coverages-api/records/5");
    let delete = server.client().delete(path).bearer_auth(token("root"));
    let status = delete.send().await.unwrap().status();
    assert!(status.is_success(), "{status}");
}
