//! An upload in one call, and a PUT of its body.

use super::{
    LCOV, UPLOAD, announced, lines, newest_attempt, payload, post, put, record, records, refusal,
    server, stated, stated_with, summary, upload,
};
use crate::{
    clients::foreign::token_for,
    harness::{Archive, COMMIT, Reachable, TOKEN, TestServer, Upload, cobertura},
};
use serde_json::{Value, json};

/// The same coverage file as a native upload, for another repository.
async fn native(server: &TestServer, language: &str, coverage: &str) {
    Upload::of(Archive::new().file("coverage.xml", coverage).tar_gz())
        .with("repo_name", "native")
        .with("branch_name", "feature")
        .with("commit_hash", COMMIT)
        .with("language", language)
        .before("paths", b"README.md\0src/fee.py\0src/fee.rs\0")
        .accepted(server)
        .await;
}

const COBERTURA: &str = r#"<coverage line-rate="0.5" branch-rate="0.5" lines-covered="2" lines-valid="4" branches-covered="1" branches-valid="2" version="7.6"><sources><source>/home/runner/work/app</source></sources><packages><package name="src"><classes>
<class name="fee.py" filename="src/fee.py"><lines><line number="1" hits="1"/><line number="2" hits="0"/><line number="4" hits="3" branch="true" condition-coverage="50% (1/2)"/><line number="9" hits="0"/></lines></class>
</classes></package></packages></coverage>"#;

#[tokio::test]
async fn an_upload_of_codecovs_client_equals_a_native_upload_of_its_file() {
    for (language, name, coverage, path) in [
        ("python", "lcov.info", LCOV, "src/fee.py"),
        ("python", "coverage.xml", COBERTURA, "src/fee.py"),
        (
            "rust",
            "codecov.json",
            r#"{"coverage": {"src/fee.rs": [null, 1, 0, null, "1/2"]}}"#,
            "src/fee.rs",
        ),
    ] {
        let server = server().await;
        native(&server, language, coverage).await;
        upload(&server, &stated(), &[(name, coverage)]).await;
        let (one, other) = (
            record(&server, "acme/native").await,
            record(&server, "acme/payments").await,
        );
        for member in ["percentage", "language", "branch_name", "commit_hash"] {
            assert_eq!(one[member], other[member], "{name}: {member}");
        }
        let (of_one, of_other) = (
            lines(&server, &one, path).await,
            lines(&server, &other, path).await,
        );
        assert_eq!(of_one, of_other, "{name}");
        let (one, other) = (summary(&server, &one).await, summary(&server, &other).await);
        for member in ["branches", "functions", "paths", "text", "no_branches"] {
            assert_eq!(one[member], other[member], "{name}: {member}");
        }
    }
}

#[tokio::test]
async fn the_ledger_names_the_client_and_has_one_row_for_an_upload() {
    let server = server().await;
    upload(&server, &stated(), &[("lcov.info", LCOV)]).await;
    let ledger = server.store().await.writer().ledger(10).await.unwrap();
    assert_eq!(ledger.len(), 1);
    let row = &ledger[0];
    assert_eq!(row.client.as_deref(), Some("codecov-cli 11.3.1"));
    assert_eq!((row.status, row.code.as_str()), (201, "created"));
    assert_eq!(row.language.as_deref(), Some("python"));
    assert_eq!(row.branch_name.as_deref(), Some("feature"));
    assert_eq!(row.token_name.as_deref(), Some("UPLOAD_TOKEN"));
    let run = row.run_url.as_deref();
    assert_eq!(run, Some("https://ci.example.com/runs/77"));
    let page = server.get_text("/uploads").await;
    assert!(page.contains("codecov-cli 11.3.1"), "{page}");
}

#[tokio::test]
async fn the_record_appears_with_the_body_and_not_before() {
    let server = server().await;
    let address = announced(&server, &stated()).await;
    assert!(records(&server, "acme/payments").await.is_empty());
    let response = put(&server, &address, payload(&[("lcov.info", LCOV)])).await;
    assert_eq!(response.status(), 200);
    let answer: Value = response.json().await.unwrap();
    let record = record(&server, "acme/payments").await;
    let page = format!("/records/{}", record["id"]);
    assert!(answer["url"].as_str().unwrap().ends_with(&page), "{answer}");
}

#[tokio::test]
async fn the_database_has_neither_the_address_nor_the_token() {
    let server = server().await;
    let address = announced(&server, &stated()).await;
    let mut database = server.database().await;
    let read = "select key_hash || ' ' || stated from foreign_requests";
    let rows: Vec<String> = sqlx::query_scalar(read)
        .fetch_all(&mut database)
        .await
        .unwrap();
    let ticket = address.rsplit('.').next().unwrap();
    assert!(rows.len() == 1 && !rows[0].contains(ticket) && !rows[0].contains(TOKEN));
    assert!(!rows[0].contains("/home/runner"), "{rows:?}");
}

#[tokio::test]
async fn a_call_is_refused_like_a_native_upload() {
    let server = server().await;
    let send = async |token: Option<&str>, path: &str, stated: Value| {
        let mut request = server.client.post(server.url(path)).json(&stated);
        if let Some(token) = token {
            request = request.header("authorization", format!("token {token}"));
        }
        refusal(request.send().await.unwrap()).await
    };
    let (status, why) = send(None, UPLOAD, stated()).await;
    assert_eq!(status, 401, "{why}");
    let (status, why) = send(Some("wr0ng"), UPLOAD, stated()).await;
    assert_eq!(status, 401, "{why}");
    let row = newest_attempt(&server).await;
    assert_eq!((row.status, row.code.as_str()), (401, "invalid_token"));
    assert_eq!(row.detail, why);
    let (status, why) = send(Some(TOKEN), UPLOAD, stated_with(json!({"branch": null}))).await;
    assert_eq!(status, 422);
    assert!(why.contains("--branch"), "{why}");
    let bad = stated_with(json!({"commitid": "no commit"}));
    assert_eq!(send(Some(TOKEN), UPLOAD, bad).await.0, 422);
    let long = stated_with(json!({"cli_args": "x".repeat(70_000)}));
    assert_eq!(send(Some(TOKEN), UPLOAD, long).await.0, 413);
    let large = stated_with(json!({"report_payload_bytes": 10_u64.pow(12)}));
    assert_eq!(send(Some(TOKEN), UPLOAD, large).await.0, 413);
    let unknown = "/upload/github/acme/upload-coverage";
    assert_eq!(send(Some(TOKEN), unknown, stated()).await.0, 404);
}

#[tokio::test]
async fn a_token_for_another_repository_is_refused() {
    let server = server().await;
    let token = token_for(&server, "acme/billing");
    let request = server.client.post(server.url(UPLOAD)).json(&stated());
    let request = request.header("authorization", format!("token {token}"));
    let (status, why) = refusal(request.send().await.unwrap()).await;
    assert_eq!(status, 403);
    assert!(why.contains("acme/billing"), "{why}");
}

#[tokio::test]
async fn nested_groups_and_doubled_slashes_are_accepted() {
    let server = server().await;
    let path = "//upload/gitlab/acme:::web::::app/upload-coverage";
    let response = post(&server, path).json(&stated()).send().await.unwrap();
    assert_eq!(response.status(), 201);
    let answer: Value = response.json().await.unwrap();
    let address = answer["raw_upload_location"].as_str().unwrap();
    let stored = put(&server, address, payload(&[("lcov.info", LCOV)])).await;
    assert_eq!(stored.status(), 200);
    record(&server, "acme/web/app").await;
}

#[tokio::test]
async fn no_client_of_codecov_is_accepted_unless_the_operator_lists_codecov() {
    let server = TestServer::start().await;
    let response = post(&server, UPLOAD).json(&stated()).send().await.unwrap();
    assert!([404, 405].contains(&response.status().as_u16()));
    let badge = server.get("/gh/acme/payments/graph/badge.svg").await;
    assert_eq!(badge.status(), 404);
}

#[tokio::test]
async fn if_reading_is_protected_clients_still_upload() {
    let server = super::server_with(&["--protect-reading"]).await;
    let address = announced(&server, &stated()).await;
    let body = payload(&[("coverage.xml", &cobertura(1, 2))]);
    assert_eq!(put(&server, &address, body).await.status(), 200);
    let badge = server.get("/gh/acme/payments/graph/badge.svg").await;
    assert_eq!(badge.status(), 401);
}

#[tokio::test]
async fn an_encoded_address_is_a_call_only_where_the_router_takes_it() {
    let server = super::server_with(&["--protect-reading"]).await;
    for path in [
        "/%75pload/github/acme::::payments/upload-coverage",
        "///upload/github/acme::::payments/upload-coverage",
        "/api//v1/github/acme/payments/pulls/7",
    ] {
        let request = server.client.post(server.url(path)).json(&stated());
        assert_eq!(request.send().await.unwrap().status(), 401, "{path}");
    }
    let path = UPLOAD.replace("acme", "%61cme");
    let call = post(&server, &path).json(&stated()).send().await.unwrap();
    assert_eq!(call.status(), 201);
}

#[tokio::test]
async fn the_address_of_a_body_has_the_path_of_the_public_address() {
    let public = "https://coverage.example.com/coverage";
    let server = super::server_with(&["--public-url", &format!("{public}/")]).await;
    let address = announced(&server, &stated()).await;
    let path = address.strip_prefix(public).expect("the public address");
    // The proxy in front of the service removes the path.
    let response = put(&server, &server.url(path), payload(&[("lcov.info", LCOV)])).await;
    assert_eq!(response.status(), 200);
    let answer: Value = response.json().await.unwrap();
    let url = answer["url"].as_str().unwrap();
    assert!(url.starts_with(&format!("{public}/records/")), "{answer}");
}
