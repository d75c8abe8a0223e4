//! Requests without the SDK's client: no sessions, other versions of the protocol, and malformed ones.

use super::*;
use reqwest::Response;

async fn send(server: &TestServer, kind: &str, body: impl Into<reqwest::Body>) -> Response {
    let request = server.client.post(server.url("/mcp"));
    let request = request.header("content-type", kind).body(body);
    request.send().await.unwrap()
}

fn call_of(id: i64) -> String {
    let params = json!({"name": "file_lines", "arguments": {"record": 2, "path": "src/fee.c"}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
}

#[tokio::test]
async fn any_instance_answers_any_request_without_a_session() {
    let server = with_change().await;
    let client = agent(&server).await;
    let folder = server.stop().await;
    // The instance that answered `initialize` is gone; the next one has no state of the client.
    let server = TestServer::start_in(folder, &["--upload-token", crate::harness::TOKEN]).await;
    drop(client);
    for id in [1, 2] {
        let response = send(&server, "application/json", call_of(id)).await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "application/json");
        assert!(!response.headers().contains_key("mcp-session-id"));
        let message: Value = response.json().await.unwrap();
        assert_eq!(message["id"], id);
        let text = message["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("3 of 5 coverable lines"), "{text}");
    }
}

#[tokio::test]
async fn every_version_of_the_protocol_is_answered_and_notifications_accepted() {
    let server = TestServer::start().await;
    for version in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let response = send(&server, "application/json", message.to_string()).await;
        let message: Value = response.json().await.unwrap();
        assert_eq!(message["result"]["protocolVersion"], version, "{message}");
        assert_eq!(
            message["result"]["serverInfo"]["name"],
            "coverage-dashboard"
        );
    }
    // From this version on there is no `initialize`: each request states its version and client.
    let version = "2026-07-28";
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "a", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let message =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}});
    let request = server.client.post(server.url("/mcp")).json(&message);
    let request = request
        .header("mcp-protocol-version", version)
        .header("mcp-method", "tools/list");
    let message: Value = request.send().await.unwrap().json().await.unwrap();
    let tools = message["result"]["tools"].as_array();
    assert_eq!(tools.map(Vec::len), Some(5), "{message}");
    let note = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(send(&server, "application/json", note).await.status(), 202);
}

#[tokio::test]
async fn a_request_that_is_no_message_is_refused_with_a_problem() {
    let server = TestServer::start().await;
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let large = format!("{list}{}", " ".repeat(64 << 10));
    let deep = format!("{}{}", "[".repeat(30_000), "]".repeat(30_000));
    for (kind, body, status, code) in [
        ("text/plain", list, 415, "unsupported_media_type"),
        ("application/json", "", 400, "malformed_request"),
        ("application/json", "[]", 400, "malformed_request"),
        (
            "application/json",
            "{\"jsonrpc\":\"2.0\"",
            400,
            "malformed_request",
        ),
        ("application/json", "\u{0}", 400, "malformed_request"),
        ("application/json", deep.as_str(), 400, "malformed_request"),
        ("application/json", large.as_str(), 413, "upload_too_large"),
    ] {
        let response = send(&server, kind, body.to_owned()).await;
        assert_eq!(response.status(), status, "{kind} {code}");
        assert_eq!(
            response.headers()["content-type"],
            "application/problem+json"
        );
        let problem: Value = response.json().await.unwrap();
        assert_eq!(problem["code"], code);
    }
    let request = server
        .client
        .post(server.url("/mcp"))
        .header("content-type", "application/json");
    let response = request
        .header("mcp-protocol-version", "1999-01-01")
        .body(list)
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 400);
    let problem: Value = response.json().await.unwrap();
    assert_eq!(problem["code"], "malformed_request");
    assert_eq!(server.get("/mcp").await.status(), 405);
}

#[tokio::test]
async fn an_id_cannot_write_lines_into_the_log() {
    let server = TestServer::start().await;
    let answered = async |id: Value| {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
        let response = send(&server, "application/json", message.to_string()).await;
        (response.status().as_u16(), response.json().await.unwrap())
    };
    for id in [
        "a\nINFO forged".to_owned(),
        "\u{1b}[31m".to_owned(),
        "\u{202e}".to_owned(),
        "x".repeat(129),
    ] {
        let (status, problem): (_, Value) = answered(json!(id)).await;
        assert_eq!(
            (status, &problem["code"]),
            (400, &json!("malformed_request"))
        );
    }
    for id in [json!(7), json!("x".repeat(128)), json!("9be01d2f-ü")] {
        let (status, message): (_, Value) = answered(id.clone()).await;
        assert_eq!((status, &message["id"]), (200, &id));
    }
}

#[tokio::test]
async fn the_service_describes_itself_for_language_models() {
    let server = TestServer::start().await;
    let response = server.get("/llms.txt").await;
    assert_eq!(
        response.headers()["content-type"],
        "text/plain; charset=utf-8"
    );
    let text = response.text().await.unwrap();
    assert!(text.starts_with("# Coverage dashboard\n\n> "), "{text}");
    for path in ["/mcp", "/coverages-api/openapi.json", "/upload.sh"] {
        assert!(text.contains(&format!("({})", server.url(path))), "{text}");
    }
    assert!(!text.contains("{url}"), "{text}");
}
