//! `PROTECT_READING`: what is closed to whom, and how to become a reader.

mod addresses;
mod caching;
mod login;
mod origin;
mod people;
mod proxy;
mod scope;
mod session;
mod signed;

use crate::harness::{Archive, Reachable, TOKEN, TestServer, Upload, cobertura};
use access::Tokens;
use domain::Timestamp;
use reqwest::{Client, Method, RequestBuilder, Response, redirect::Policy};
use serde_json::Value;
use store::{Purpose, Scope, actor::Actor};

/// The headers of a browser navigation.
const NAVIGATION: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

const COOKIE: &str = "coverage-reader";

/// A protected service with one record, number 1, and its report.
async fn protected(arguments: &[&str]) -> TestServer {
    let own = ["--upload-token", TOKEN, "--protect-reading"];
    let arguments: Vec<_> = own.iter().chain(arguments).copied().collect();
    let server = TestServer::start_with(&arguments).await;
    upload(&server, "one").await;
    server
}

/// Uploads the same record again with another page.
async fn upload(server: &TestServer, page: &str) {
    let lines = "<class filename=\"a\"><lines><line number=\"1\" hits=\"1\"/></lines></class>";
    let xml = cobertura(1, 2).replace(
        "<packages/>",
        &format!("<packages><package><classes>{lines}</classes></package></packages>"),
    );
    let archive = Archive::report(page, &xml)
        .file("style.css", "b{}")
        .file("sub/script.js", "0");
    let upload = Upload::of(archive.tar_gz()).with("pull_request", "7");
    let upload = upload.after("changes", b"diff --git a/a b/a\n");
    let answer = upload.accepted(server).await;
    assert_eq!(answer["coverage"]["id"], 1);
}

async fn make_token(
    server: &TestServer,
    name: &str,
    purpose: Purpose,
    expires_at: Option<Timestamp>,
) -> String {
    let tokens = Tokens::new(None, server.store().await);
    tokens
        .make(name, purpose, &Scope::All, expires_at, &Actor::service())
        .await
        .unwrap()
        .token
}

async fn read_token(server: &TestServer) -> String {
    make_token(server, "reader", Purpose::Read, None).await
}

/// A request that follows no redirects.
fn ask(server: &TestServer, method: Method, path: &str) -> RequestBuilder {
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    client.request(method, server.url(path))
}

/// The answer to a client without credentials.
async fn strange(server: &TestServer, path: &str) -> Response {
    ask(server, Method::GET, path).send().await.unwrap()
}

/// The answer to a reader.
async fn read(server: &TestServer, token: &str, path: &str) -> Response {
    let request = ask(server, Method::GET, path).bearer_auth(token);
    request.send().await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    let value = response.headers().get(name);
    value.map_or("", |value| value.to_str().unwrap())
}

/// The `Location` of an answer.
fn location(response: &Response) -> String {
    assert!(response.status().is_redirection(), "{response:?}");
    header(response, "location").to_owned()
}

/// Checks that an answer asks a program for a token.
async fn assert_closed(response: Response, code: &str) {
    let path = response.url().path().to_owned();
    assert_eq!(response.status(), 401, "{path}");
    assert_eq!(header(&response, "www-authenticate"), "Bearer", "{path}");
    assert_eq!(header(&response, "cache-control"), "no-store", "{path}");
    assert_eq!(
        header(&response, "content-type"),
        "application/problem+json"
    );
    let problem: Value = response.json().await.unwrap();
    assert_eq!(problem["code"], code, "{path}: {problem}");
}
