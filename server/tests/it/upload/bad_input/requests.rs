//! Invalid addresses, parameters, tokens and multipart bodies.

use super::{QUERY, assert_refused, good, refused};
use crate::harness::{Reachable, TestServer, Upload};
use reqwest::multipart::Form;
use serde_json::Value;

#[tokio::test]
async fn all_missing_parameters_are_named_at_once() {
    let names = [
        "org_name",
        "repo_name",
        "branch_name",
        "commit_hash",
        "commit_author",
        "language",
        "coverage_xml_file_name",
    ];
    let upload = names
        .iter()
        .fold(Upload::of(good()), |upload, name| upload.without(name))
        .authorization(None);
    let (status, code, problem) = refused(upload, &[]).await;
    assert_eq!(
        (status, code.as_str()),
        (422, "invalid_parameter"),
        "parameters come before the token"
    );
    assert_eq!(
        problem["errors"].as_object().unwrap().keys().len(),
        7,
        "{problem}"
    );
    assert_eq!(problem["errors"]["org_name"], "is missing");
    assert_eq!(problem["title"], "Unprocessable Content");
}

#[tokio::test]
async fn every_parameter_has_its_rule() {
    for (name, value) in [
        ("org_name", "a/../b"),
        ("repo_name", "a/b"),
        ("branch_name", "a\nb"),
        ("commit_hash", "not a hash"),
        ("commit_author", "\u{7}"),
        ("language", "Rust"),
        ("coverage_xml_file_name", "../coverage.xml"),
        ("vcs_api_url", "ftp://vcs.example.com"),
    ] {
        let (status, code, problem) = refused(
            Upload::of(good())
                .with("commit_hash", "c2")
                .with(name, value),
            &[],
        )
        .await;
        assert_eq!(
            (status, code.as_str()),
            (422, "invalid_parameter"),
            "{name}"
        );
        assert_eq!(
            problem["errors"]
                .as_object()
                .unwrap()
                .keys()
                .collect::<Vec<_>>(),
            [name],
            "{problem}"
        );
    }
}

#[tokio::test]
async fn a_query_that_is_not_utf_8_is_400() {
    let server = TestServer::start().await;
    for path in ["/coverages-api?keyword=%ff", "/coverages-api?%ff=1"] {
        let response = server.get(path).await;
        assert_eq!(response.status(), 400, "{path}");
        assert_eq!(
            response.json::<Value>().await.unwrap()["code"],
            "malformed_request"
        );
    }
}

#[tokio::test]
async fn a_missing_or_wrong_token_is_401_with_the_scheme() {
    let server = TestServer::start().await;
    for (value, code) in [
        (None, "missing_token"),
        (Some(""), "missing_token"),
        (Some("Bearer wr0ng"), "invalid_token"),
    ] {
        let response = Upload::of(b"no archive".to_vec())
            .authorization(value)
            .send(&server)
            .await;
        assert_eq!(
            (
                response.status().as_u16(),
                response.headers()["www-authenticate"].to_str().unwrap()
            ),
            (401, "Bearer")
        );
        assert_eq!(
            response.json::<Value>().await.unwrap()["code"],
            code,
            "the token comes before the body"
        );
    }
}

#[tokio::test]
async fn an_unlisted_forge_is_403() {
    let upload = Upload::of(good())
        .authorization(Some("gh-token"))
        .with("vcs_api_url", "https://vcs.example.com");
    assert_refused(upload, (403, "vcs_api_url_not_allowed"), "vcs_api_url").await;
}

#[tokio::test]
async fn a_body_without_the_file_part_is_422() {
    assert_refused(
        Upload::of(good()).in_part("archive"),
        (422, "missing_file_part"),
        "`file`",
    )
    .await;
}

#[tokio::test]
async fn a_body_that_is_not_multipart_is_415() {
    let server = TestServer::start().await;
    let url = server.url(&format!("/coverages-api?{QUERY}"));
    let response = server
        .client
        .post(url)
        .header("authorization", "t0ken")
        .body(good())
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 415);
    assert_eq!(
        response.json::<Value>().await.unwrap()["code"],
        "unsupported_media_type"
    );
}

#[tokio::test]
async fn unknown_routes_and_methods_answer_with_problem_documents() {
    let server = TestServer::start().await;
    let missing = server.get("/coverages-api/nothing").await;
    assert_eq!(
        (
            missing.status().as_u16(),
            missing.json::<Value>().await.unwrap()["code"].as_str()
        ),
        (404, Some("not_found"))
    );
    let deleted = server
        .client
        .delete(server.url("/coverages-api"))
        .multipart(Form::new())
        .send()
        .await
        .unwrap();
    assert_eq!(deleted.status(), 405);
    assert_eq!(
        deleted.json::<Value>().await.unwrap()["code"],
        "method_not_allowed"
    );
}

#[tokio::test]
async fn a_request_id_is_echoed_or_generated() {
    let server = TestServer::start().await;
    let echoed = server
        .client
        .get(server.url("/coverages-api/health"))
        .header("x-request-id", "ci-42")
        .send()
        .await
        .unwrap();
    assert_eq!(echoed.headers()["x-request-id"], "ci-42");
    let long = "x".repeat(129);
    for unusable in [&*long, "", "two words", "a\ttab", "\u{fc}"] {
        let made = server
            .client
            .get(server.url("/coverages-api/health"))
            .header("x-request-id", unusable)
            .send()
            .await
            .unwrap();
        let id = made.headers()["x-request-id"].to_str().unwrap();
        let is_ours = id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(is_ours, "{unusable:?}: {id:?}");
    }
}
