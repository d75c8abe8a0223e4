//! The records of a commit or of a pull request.

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use serde_json::Value;

fn upload(commit: &str, branch: &str) -> Upload {
    Upload::of(Archive::report("<p>", &cobertura(80, 100)).tar_gz())
        .with("commit_hash", commit)
        .with("branch_name", branch)
}

async fn ids(server: &TestServer, query: &str) -> Vec<i64> {
    let path = format!("/coverages-api/records?org_name=ACME&repo_name=payments&{query}");
    let answer = server.get_json(&path).await;
    assert_eq!(answer["has_next"], false);
    let records = answer["records"].as_array().expect("records").iter();
    records
        .map(|record| record["id"].as_i64().expect("an id"))
        .collect()
}

#[tokio::test]
async fn records_are_found_by_commit_and_by_pull_request() {
    let server = TestServer::start().await;
    let commit = "9be01d2f6a7c4e5b8d3f1a2b3c4d5e6f7a8b9c0d";
    for upload in [
        upload(commit, "main"),
        upload(commit, "fix")
            .with("language", "go")
            .with("pull_request", "7"),
        upload("9be01d2aaa", "fix").with("pull_request", "7"),
        upload("aaaaaaaaaa", "other").with("pull_request", "77"),
        upload(commit, "main")
            .with("repo_name", "other")
            .with("pull_request", "7"),
    ] {
        upload.accepted(&server).await;
    }
    assert_eq!(ids(&server, &format!("commit_hash={commit}")).await, [2, 1]);
    assert_eq!(ids(&server, "commit_hash=9BE01D2").await, [3, 2, 1]);
    assert_eq!(ids(&server, "pull_request=7").await, [3, 2]);
    assert_eq!(ids(&server, "pull_request=8").await, [0; 0]);
    assert_eq!(ids(&server, "pull_request=7&p=2").await, [0; 0]);
}

#[tokio::test]
async fn a_commit_of_few_digits_or_none_at_all_is_refused() {
    let server = TestServer::start().await;
    for query in [
        "",
        "&commit_hash=9be01d",
        "&commit_hash=9be01dg",
        "&pull_request=x",
    ] {
        let path = format!("/coverages-api/records?org_name=acme&repo_name=payments{query}");
        let response = server.get(&path).await;
        assert_eq!(response.status(), 422, "{query}");
        let problem: Value = response.json().await.unwrap();
        assert_eq!(problem["code"], "invalid_parameter", "{query}");
    }
}
