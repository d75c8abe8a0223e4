//! `/audit`: who may see it, and how to log in for it.

use super::*;
use crate::harness::TOKEN;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// The page as this token sees it.
async fn page(server: &TestServer, token: &str, path: &str) -> Response {
    let request = ask(server, Method::GET, path).bearer_auth(token);
    request.header("accept", NAVIGATION).send().await.unwrap()
}

/// The answer to a request for exactly this path.
pub(super) async fn unchanged(server: &TestServer, path: &str) -> String {
    let address = server.url("").replace("http://", "");
    let mut stream = TcpStream::connect(&address).await.unwrap();
    let head = format!(
        "GET {path} HTTP/1.1\r\nhost: {address}\r\naccept: text/html\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 "), "{answer}");
    answer
}

async fn log_in(server: &TestServer, token: &str) -> Response {
    let body = format!("token={token}&next=%2Faudit%3Frepo%3Dacme");
    ask(server, Method::POST, "/login")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("sec-fetch-site", "same-origin")
        .header("origin", server.url(""))
        .body(body)
        .send()
        .await
        .unwrap()
}

#[tokio::test]
async fn the_audit_log_needs_an_admin_token_even_if_reading_is_public() {
    let server = TestServer::start().await;
    let id = upload(&server, "main", "c1", 50).await;
    let admin = token(&server, "ops", "admin", &[]);
    let reads = token(&server, "reads", "read", &[]);
    assert_eq!(delete(&server, &admin, id).await.status(), 204);
    let stranger = ask(&server, Method::GET, "/audit").send().await.unwrap();
    assert_eq!(stranger.headers()["cache-control"], "no-store");
    assert_eq!(refusal(stranger).await, (401, "missing_token".to_owned()));
    for (token, status) in [("wr0ng", 401), (TOKEN, 403), (&reads, 403)] {
        let response = page(&server, token, "/audit").await;
        assert_eq!(response.status(), status, "{token}");
        let html = response.text().await.unwrap();
        assert!(
            html.contains("Admin token") && !html.contains("record 1"),
            "{html}"
        );
    }
    // Without access, every spelling of the address shows nothing.
    for path in [
        "/audit/",
        "//audit",
        "/%61udit",
        "/audit%2f",
        "/x/../audit",
        "/AUDIT",
    ] {
        let request = ask(&server, Method::GET, path).header("accept", NAVIGATION);
        let html = request.send().await.unwrap().text().await.unwrap();
        assert!(!html.contains("record 1: main"), "{path}: {html}");
    }
    // A client library would change these before it sends them.
    for path in ["/x/../audit", "/audit/%2e", "/./audit", "/audit/."] {
        let html = unchanged(&server, path).await;
        assert!(!html.contains("record 1: main"), "{path}: {html}");
    }
    let response = page(&server, &admin, "/audit").await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["cache-control"], "no-store");
    let html = response.text().await.unwrap();
    assert!(
        html.contains("record 1: main") && html.contains("Record deleted"),
        "{html}"
    );
    assert!(
        html.contains("127.0.0.1") && !html.contains(&admin),
        "{html}"
    );
}

#[tokio::test]
async fn an_admin_token_of_an_org_sees_only_the_audit_log_of_that_org() {
    let server = TestServer::start().await;
    for org in ["acme", "acme/tools", "zoo"] {
        let upload = Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz());
        upload.with("org_name", org).accepted(&server).await;
        let repository = format!("{org}/payments");
        done(&server, &["main-branch", &repository, "main"]);
    }
    let admin = token(&server, "ops", "admin", &["--org", "acme"]);
    let html = page(&server, &admin, "/audit").await.text().await.unwrap();
    for shown in ["acme/payments", "acme/tools/payments", "token 1: ops"] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
    assert!(!html.contains("zoo"), "{html}");
    let html = page(&server, &admin, "/audit?repo=zoo").await;
    let html = html.text().await.unwrap();
    assert!(html.contains("Nothing found"), "{html}");
}

#[tokio::test]
async fn an_admin_can_log_in_and_out_if_reading_is_public() {
    let server = TestServer::start().await;
    server.get("/coverages-api/health").await;
    let admin = token(&server, "ops", "admin", &[]);
    let reads = token(&server, "reads", "read", &[]);
    let form = ask(&server, Method::GET, "/login?next=/audit");
    let form = form.send().await.unwrap();
    assert_eq!(form.status(), 200);
    assert!(form.text().await.unwrap().contains("Admin token"));
    for (token, status) in [("", 401), ("wr0ng", 401), (TOKEN, 403), (&reads, 403)] {
        let response = log_in(&server, token).await;
        assert_eq!(response.status(), status, "{token}");
        assert!(!response.headers().contains_key("set-cookie"));
        let html = response.text().await.unwrap();
        assert!(html.contains("role=\"alert\""), "{html}");
    }
    let response = log_in(&server, &admin).await;
    assert_eq!(response.status(), 303);
    assert_eq!(response.headers()["location"], "/audit?repo=acme");
    let cookie = response.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"));
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let with_cookie = async |method: Method, path: &str| {
        let request = ask(&server, method, path).header("cookie", &cookie);
        let request = request
            .header("sec-fetch-site", "same-origin")
            .header("origin", server.url(""));
        request.send().await.unwrap()
    };
    let response = with_cookie(Method::GET, "/audit").await;
    assert_eq!(response.status(), 200);
    let html = response.text().await.unwrap();
    assert!(
        html.contains("token 1: ops") && html.contains("Log out"),
        "{html}"
    );
    let response = with_cookie(Method::POST, "/logout").await;
    let ended = response.headers()["set-cookie"].to_str().unwrap();
    assert!(ended.contains("Max-Age=0"), "{ended}");
    done(&server, &["token", "revoke", "ops"]);
    let response = with_cookie(Method::GET, "/audit").await;
    assert_eq!(response.status(), 401, "a session ends with its token");
}

#[tokio::test]
async fn a_reader_needs_an_admin_token_for_the_audit_log() {
    let server = TestServer::start_with(&["--upload-token", TOKEN, "--protect-reading"]).await;
    server.get("/coverages-api/health").await;
    let admin = token(&server, "ops", "admin", &[]);
    let reads = token(&server, "reads", "read", &[]);
    let stranger = ask(&server, Method::GET, "/audit").send().await.unwrap();
    assert_eq!(refusal(stranger).await, (401, "missing_token".to_owned()));
    let response = page(&server, &reads, "/audit").await;
    assert_eq!(response.status(), 403);
    assert!(response.text().await.unwrap().contains("Admin token"));
    assert_eq!(page(&server, &admin, "/audit").await.status(), 200);
    assert_eq!(page(&server, &admin, "/").await.status(), 200);
    let session = log_in(&server, &admin).await;
    assert_eq!(session.status(), 303);
}
