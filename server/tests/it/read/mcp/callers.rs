//! Who may call the tools: readers only if reading is protected, and no pages of other sites.

use super::*;
use crate::harness::TOKEN;
use access::Tokens;
use store::{Purpose, Scope, actor::Actor};

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

/// The status and the code of the answer to a list of tools.
async fn listed(server: &TestServer, headers: &[(&'static str, &str)]) -> (u16, Value) {
    let request = server.client.post(server.url("/mcp"));
    let request = request
        .header("content-type", "application/json")
        .body(LIST);
    let request = headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    });
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let body: Value = response.json().await.unwrap();
    (status, body["code"].clone())
}

#[tokio::test]
async fn only_readers_may_ask_if_reading_is_protected() {
    let server = TestServer::start_with(&["--upload-token", TOKEN, "--protect-reading"]).await;
    upload("c1", BASE).accepted(&server).await;
    let tokens = Tokens::new(None, server.store().await);
    let actor = Actor::service();
    let make = async |name: &str, purpose| {
        let made = tokens.make(name, purpose, &Scope::All, None, &actor);
        made.await.unwrap().token
    };
    let (reader, uploader) = (
        make("agent", Purpose::Read).await,
        make("ci", Purpose::Upload).await,
    );
    assert_eq!(listed(&server, &[]).await, (401, json!("missing_token")));
    for token in [uploader.as_str(), "wr0ng", TOKEN] {
        let authorization = format!("Bearer {token}");
        let refused = listed(&server, &[("authorization", &authorization)]).await;
        assert_eq!(refused, (401, json!("invalid_token")));
    }
    assert!(try_agent(&server, None).await.is_none());
    assert!(try_agent(&server, Some("wr0ng")).await.is_none());
    let agent = try_agent(&server, Some(&reader)).await.unwrap();
    let text = answer(
        &agent,
        "file_lines",
        json!({"record": 1, "path": "src/fee.c"}),
    )
    .await;
    assert!(
        text.contains("2 of 2 coverable lines are covered"),
        "{text}"
    );
}

#[tokio::test]
async fn a_page_of_another_site_may_not_ask() {
    let server = TestServer::start_with(&[
        "--upload-token",
        TOKEN,
        "--public-url",
        "https://coverage.example.com/",
        "--allowed-hosts",
        "coverage,127.0.0.1",
    ])
    .await;
    let own = server.url("").replace("http://", "");
    let asked = async |origin: &str, host: &str| {
        listed(&server, &[("origin", origin), ("host", host)])
            .await
            .0
    };
    for (origin, host) in [
        ("https://coverage.example.com", own.as_str()),
        ("https://coverage.example.com:443", "coverage.example.com"),
        ("http://coverage", "coverage"),
        (server.url("").as_str(), own.as_str()),
    ] {
        assert_eq!(asked(origin, host).await, 200, "{origin} {host}");
    }
    for origin in [
        "http://evil.example",
        "http://coverage.example.com",
        "https://coverage.example.com.evil.example",
        "https://coverage.example.com:8443",
        "http://coverage",
        "http://127.0.0.1:1",
        "null",
        "",
        "file://",
        "*",
    ] {
        assert_eq!(asked(origin, &own).await, 403, "{origin}");
    }
    let both = [
        ("origin", "https://coverage.example.com"),
        ("origin", "http://evil.example"),
    ];
    assert_eq!(
        listed(&server, &both).await,
        (403, json!("origin_not_allowed"))
    );
}

#[tokio::test]
async fn a_name_that_resolves_to_the_service_is_another_site() {
    let server = TestServer::start().await;
    let rebound = [("origin", "http://evil.example"), ("host", "evil.example")];
    assert_eq!(
        listed(&server, &rebound).await,
        (403, json!("origin_not_allowed"))
    );
    assert_eq!(listed(&server, &[]).await.0, 200);
}
