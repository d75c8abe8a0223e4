//! Badges.

use crate::harness::{Archive, Reachable, TOKEN, TestServer, Upload, cobertura};
use serde_json::{Value, json};

async fn upload(server: &TestServer, branch: &str, language: &str, covered: u32) {
    Upload::of(Archive::report("<p>", &cobertura(covered, 100)).tar_gz())
        .with("branch_name", branch)
        .with("language", language)
        .accepted(server)
        .await;
}

async fn message(server: &TestServer, query: &str) -> String {
    let path = format!("/coverages-api/badge.json?{query}");
    let endpoint = server.get_json(&path).await;
    endpoint["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_badge_shows_the_main_branch_or_the_branch_and_language_that_it_is_asked_for() {
    let server = TestServer::start().await;
    upload(&server, "main", "rust", 84).await;
    upload(&server, "feature/x", "rust", 70).await;
    upload(&server, "feature/x", "go", 50).await;
    let repository = "org_name=acme&repo_name=payments";
    for (query, expected) in [
        ("", "84.00%"),
        ("&branch_name=feature/x", "50.00%"),
        ("&branch_name=feature/x&language=rust", "70.00%"),
        ("&branch_name=main&language=go", "unknown"),
        ("&branch_name=gone", "unknown"),
        ("&language=Rust%20", "unknown"),
    ] {
        assert_eq!(
            message(&server, &format!("{repository}{query}")).await,
            expected,
            "{query}"
        );
    }
    assert_eq!(
        message(&server, "org_name=acme&repo_name=other").await,
        "unknown"
    );
    assert_eq!(message(&server, "").await, "unknown");
    let as_the_action_sends_it = "org_name=acme&repo_name=acme/payments&language=rust&subtitle=1";
    assert_eq!(message(&server, as_the_action_sends_it).await, "84.00%");
}

#[tokio::test]
async fn a_badge_is_an_svg_with_200_whatever_is_unknown() {
    let server = TestServer::start().await;
    for query in [
        "",
        "?org_name=acme&repo_name=none",
        "?org_name=..&repo_name=%2F",
    ] {
        let response = server.get(&format!("/coverages-api/badge{query}")).await;
        assert_eq!(response.status(), 200);
        assert_eq!(
            response.headers()["content-type"],
            "image/svg+xml; charset=utf-8"
        );
        let svg = response.text().await.unwrap();
        assert!(
            svg.starts_with("<svg") && svg.contains("coverage: unknown"),
            "{svg}"
        );
    }
}

#[tokio::test]
async fn a_badge_never_sticks_and_is_not_sent_twice() {
    let server = TestServer::start().await;
    upload(&server, "main", "rust", 84).await;
    let path = "/coverages-api/badge?org_name=acme&repo_name=payments";
    let first = server.get(path).await;
    assert_eq!(first.headers()["cache-control"], "no-cache");
    let etag = first.headers()["etag"].to_str().unwrap().to_owned();
    let again = async || {
        let request = server.client.get(server.url(path));
        request.header("if-none-match", &etag).send().await.unwrap()
    };
    assert_eq!(again().await.status(), 304);
    upload(&server, "main", "rust", 85).await;
    assert_eq!(again().await.status(), 200);
}

#[tokio::test]
async fn shields_io_can_draw_a_badge_by_its_endpoint() {
    let server =
        TestServer::start_with(&["--upload-token", TOKEN, "--badge-thresholds", "60,70"]).await;
    upload(&server, "main", "rust", 70).await;
    let query = "org_name=acme&repo_name=payments&label=tests";
    let endpoint: Value = server
        .get_json(&format!("/coverages-api/badge.json?{query}"))
        .await;
    assert_eq!(
        endpoint,
        json!({
            "schemaVersion": 1, "label": "tests", "message": "70.00%", "color": "#97ca00",
            "isError": false, "cacheSeconds": 300,
        })
    );
    let cb = server
        .get_json(&format!("/coverages-api/badge.json?{query}&palette=cb"))
        .await;
    assert_eq!(cb["color"], "#0072b2");
}
