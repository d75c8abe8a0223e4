//! What admin tokens allow: deleting uploads, and reading the audit log and the settings.

mod audit;
mod audit_page;
mod browser;
mod delete_command;
mod delete_route;
mod settings_page;

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use reqwest::{Client, Method, RequestBuilder, Response, redirect::Policy};
use serde_json::Value;
use std::process::{Command, Output, Stdio};

const NAVIGATION: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

/// Uploads a commit of a branch with `covered` of 100 lines and returns its record.
async fn upload(server: &TestServer, branch: &str, commit: &str, covered: u32) -> i64 {
    let page = format!("<p>{commit}");
    let answer = Upload::of(Archive::report(&page, &cobertura(covered, 100)).tar_gz())
        .with("branch_name", branch)
        .with("commit_hash", commit)
        .accepted(server)
        .await;
    answer["coverage"]["id"].as_i64().unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// A command without a terminal.
fn command(server: &TestServer, arguments: &[&str]) -> Command {
    let mut command = server.command(arguments);
    command.stdin(Stdio::null());
    command
}

fn run(server: &TestServer, arguments: &[&str]) -> Output {
    command(server, arguments).output().unwrap()
}

/// The output and the messages of a command that succeeds.
fn done(server: &TestServer, arguments: &[&str]) -> (String, String) {
    let output = run(server, arguments);
    let notes = text(output.stderr);
    assert!(output.status.success(), "{arguments:?}: {notes}");
    (text(output.stdout), notes)
}

fn token(server: &TestServer, name: &str, purpose: &str, more: &[&str]) -> String {
    let arguments = ["token", "create", "--name", name, "--for", purpose];
    let (token, _) = done(server, &[&arguments, more].concat());
    token.trim_end().to_owned()
}

/// A request that follows no redirects.
fn ask(server: &TestServer, method: Method, path: &str) -> RequestBuilder {
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    client.request(method, server.url(path))
}

async fn delete(server: &TestServer, token: &str, id: i64) -> Response {
    let path = format!("/coverages-api/records/{id}");
    let request = ask(server, Method::DELETE, &path).bearer_auth(token);
    request.send().await.unwrap()
}

/// The status and the code of a refusal.
async fn refusal(response: Response) -> (u16, String) {
    let status = response.status().as_u16();
    let problem: Value = response.json().await.unwrap();
    (status, problem["code"].as_str().unwrap().to_owned())
}

/// The address of the report's first page, which contains its version.
async fn versioned(server: &TestServer, id: i64) -> String {
    let path = format!("/reports/{id}/");
    let request = ask(server, Method::GET, &path).header("accept", NAVIGATION);
    let response = request.header("sec-fetch-dest", "document").send().await;
    let response = response.unwrap();
    assert_eq!(response.status(), 307);
    let location = response.headers()["location"].to_str().unwrap();
    assert!(location.contains('@'), "{location}");
    location.to_owned()
}

fn audit(server: &TestServer, more: &[&str]) -> Vec<Value> {
    let (printed, _) = done(server, &[&["audit", "--format", "ndjson"], more].concat());
    let rows = printed.lines().map(serde_json::from_str);
    rows.collect::<Result<_, _>>().unwrap()
}

fn actions(rows: &[Value]) -> Vec<&str> {
    rows.iter()
        .map(|row| row["action"].as_str().unwrap())
        .collect()
}
