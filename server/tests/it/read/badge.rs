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
async fn a_badge_shows_the_main_branch_or_the_requested_one() {
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
async fn a_badge_of_something_unknown_is_still_an_svg_with_200() {
    let server = TestServer::start().await;
    for query in [
        "",
        "?org_name=acme&repo_name=none",
        "?org_name=..&repo_name=%2F",
        "?org_name=%FF",
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
    for picture in ["badge.json", "trend.svg"] {
        let path = format!("/coverages-api/{picture}?org_name=%FF");
        assert_eq!(server.get(&path).await.status(), 200, "{path}");
    }
}

#[tokio::test]
async fn a_badge_is_revalidated_and_not_sent_twice() {
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
async fn the_badge_endpoint_suits_shields_io() {
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

#[tokio::test]
async fn a_badge_is_green_from_the_target_unless_it_has_thresholds() {
    const GREEN: &str = "#97ca00";
    const YELLOW_GREEN: &str = "#a4a61d";
    const YELLOW: &str = "#dfb317";
    for (settings, color) in [
        (&["--target", "70"][..], GREEN),
        (&["--target", "71", "--badge-thresholds", ""], YELLOW_GREEN),
        (&["--target", "90"], YELLOW_GREEN),
        (&["--target", "90.01"], YELLOW),
        (&["--target", "70", "--badge-thresholds", "75,80"], YELLOW),
    ] {
        let token = ["--upload-token", TOKEN];
        let server = TestServer::start_with(&[&token[..], settings].concat()).await;
        upload(&server, "main", "rust", 70).await;
        let path = "/coverages-api/badge.json?org_name=acme&repo_name=payments";
        let endpoint: Value = server.get_json(path).await;
        assert_eq!(endpoint["color"], color, "{settings:?}");
    }
}

/// A request that follows no redirects.
async fn straight(server: &TestServer, path: &str) -> reqwest::Response {
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    client.get(server.url(path)).send().await.unwrap()
}

#[tokio::test]
async fn a_record_badge_is_immutable_and_a_retry_gets_a_new_version() {
    let server = TestServer::start().await;
    upload(&server, "main", "rust", 84).await;
    let of_record = "/coverages-api/badge?record=1&label=tests%20%26%20more";
    let versioned = async |path: &str| {
        let response = straight(&server, path).await;
        assert_eq!(
            (response.status(), &response.headers()["cache-control"]),
            (
                reqwest::StatusCode::TEMPORARY_REDIRECT,
                &"no-cache".parse().unwrap()
            )
        );
        response.headers()["location"].to_str().unwrap().to_owned()
    };
    let first = versioned(of_record).await;
    assert!(first.starts_with(&format!("{of_record}&v=")), "{first}");
    let badge = straight(&server, &first).await;
    assert_eq!(
        badge.headers()["cache-control"],
        "public, max-age=31536000, immutable"
    );
    let svg = badge.text().await.unwrap();
    assert!(svg.contains("tests &amp; more: 84.00%"), "{svg}");
    upload(&server, "main", "rust", 85).await;
    let second = versioned(&first).await;
    assert!(second != first && second.starts_with(of_record), "{second}");
    let svg = straight(&server, &second).await.text().await.unwrap();
    assert!(svg.contains("85.00%"), "{svg}");
    let endpoint = server.get_json("/coverages-api/badge.json?record=1").await;
    assert_eq!(endpoint["message"], "85.00%");
}

#[tokio::test]
async fn a_badge_of_an_unknown_record_is_unknown_and_not_cached() {
    let server = TestServer::start().await;
    for id in ["7", "-1", "x", "99999999999999999999", "1%20or%201=1"] {
        let response = straight(&server, &format!("/coverages-api/badge?record={id}&v=1")).await;
        assert_eq!(
            (
                response.status().as_u16(),
                response.headers()["cache-control"].to_str().unwrap()
            ),
            (200, "no-cache")
        );
        assert!(response.text().await.unwrap().contains("unknown"));
    }
}
