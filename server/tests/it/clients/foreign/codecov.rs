//! The requests of Codecov's clients, as they were captured from codecov-cli 11.3.1, codecov (npm) 3.8.3 and codecov (PyPI) 2.1.13.

mod body;
pub(super) mod body_address;
mod forges;
mod identities;
mod legacy;
mod one_call;
mod others;
mod parts;
pub(super) mod programs;
mod put;
mod queues;
pub(super) mod samples;
mod three_calls;

use crate::harness::{COMMIT, Reachable, TOKEN, TestServer};
use base64::{Engine, prelude::BASE64_STANDARD};
use flate2::{Compression, write::ZlibEncoder};
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use std::io::Write;

pub(super) const LCOV: &str =
    "SF:src/fee.py\nDA:1,3\nDA:2,0\nDA:4,1\nDA:5,1\nBRDA:4,0,0,1\nBRDA:4,0,1,0\nend_of_record\n";
const OTHER_LCOV: &str = "SF:src/fee.py\nDA:1,1\nDA:2,1\nDA:4,0\nDA:5,0\nend_of_record\n";

async fn server() -> TestServer {
    server_with(&[]).await
}

async fn server_with(arguments: &[&str]) -> TestServer {
    let own = ["--upload-token", TOKEN, "--accept", "codecov"];
    TestServer::start_with(&[&own[..], arguments].concat()).await
}

/// What `upload-coverage` states.
pub(super) fn stated() -> Value {
    json!({
        "ci_service": "github-actions", "ci_url": "https://ci.example.com/runs/77", "cli_args": {"coverage_files_search_root_folder": "/home/runner/x"},
        "env": {}, "flags": [], "job_code": "ci", "name": "ci - test", "version": "11.3.1", "file_not_found": false,
        "branch": "feature", "code": "default", "commitid": COMMIT, "parent_commit_id": null, "pullid": null,
        "report_payload_bytes": 3846,
    })
}

/// A statement with other members.
pub(super) fn stated_with(changes: Value) -> Value {
    let mut stated = stated();
    for (name, value) in changes.as_object().unwrap() {
        stated[name] = value.clone();
    }
    stated
}

fn packed(content: &[u8]) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).unwrap();
    BASE64_STANDARD.encode(encoder.finish().unwrap())
}

/// A coverage file in the body of codecov-cli, with the members in the client's order.
fn file(name: &str, format: &str, data: &str) -> String {
    let [name, format, data] = [name, format, data].map(Value::from);
    format!(r#"{{"filename": {name}, "format": {format}, "data": {data}, "labels": ""}}"#)
}

/// The body of codecov-cli with these files. It says that measured lines do not count, which is not applied.
fn body_of(files: &[String]) -> String {
    let files = files.join(", ");
    format!(
        r#"{{"report_fixes": {{"format": "legacy", "value": {{"src/fee.py": {{"eof": 4, "lines": [1, 2]}}}}}}, "network_files": ["README.md", "src/fee.py", "src/fee.rs", ""], "coverage_files": [{files}], "metadata": {{}}}}"#
    )
}

/// The body of codecov-cli with the content of these files.
pub(super) fn payload(files: &[(&str, &str)]) -> String {
    let files = files.iter().map(|(name, content)| {
        let data = packed(content.as_bytes());
        file(
            &format!("/home/runner/work/{name}"),
            "base64+compressed",
            &data,
        )
    });
    body_of(&files.collect::<Vec<_>>())
}

fn post(server: &impl Reachable, path: &str) -> RequestBuilder {
    let request = server.client().post(server.url(path));
    request
        .header("authorization", format!("token {TOKEN}"))
        .header("user-agent", "codecov-cli/11.3.1")
}

pub(super) const UPLOAD: &str = "/upload/github/acme::::payments/upload-coverage";

/// States an upload, and returns the address of its body.
pub(super) async fn announced(server: &impl Reachable, stated: &Value) -> String {
    let response = post(server, UPLOAD).json(stated).send().await.unwrap();
    let status = response.status();
    let answer: Value = response.json().await.unwrap();
    assert_eq!(status, 201, "{answer}");
    let url = answer["url"].as_str().unwrap();
    assert!(url.ends_with("/repos/acme/payments"), "{answer}");
    answer["raw_upload_location"].as_str().unwrap().to_owned()
}

pub(super) async fn put(
    server: &impl Reachable,
    address: &str,
    body: impl Into<reqwest::Body>,
) -> Response {
    server
        .client()
        .put(address)
        .body(body)
        .send()
        .await
        .unwrap()
}

/// Uploads coverage files in one call.
async fn upload(server: &TestServer, stated: &Value, files: &[(&str, &str)]) {
    let address = announced(server, stated).await;
    let response = put(server, &address, payload(files)).await;
    let (status, answer) = (response.status(), response.text().await.unwrap());
    assert_eq!(status, 200, "{answer}");
}

/// Reads a refusal: its status and its sentence.
pub(super) async fn refusal(response: Response) -> (u16, String) {
    let status = response.status().as_u16();
    let problem: Value = response.json().await.unwrap();
    (status, problem["detail"].as_str().unwrap().to_owned())
}

/// The records of the commit in a repository, the newest first.
async fn records(server: &TestServer, repository: &str) -> Vec<Value> {
    let (org, repo) = repository.rsplit_once('/').unwrap();
    let path =
        format!("/coverages-api/records?org_name={org}&repo_name={repo}&commit_hash={COMMIT}");
    let answer = server.get_json(&path).await;
    answer["records"].as_array().unwrap().clone()
}

/// The only record of the commit in a repository.
async fn record(server: &TestServer, repository: &str) -> Value {
    let records = records(server, repository).await;
    assert_eq!(records.len(), 1, "{records:?}");
    records[0].clone()
}

async fn summary(server: &TestServer, record: &Value) -> Value {
    let path = format!("/coverages-api/records/{}", record["id"]);
    server.get_json(&path).await
}

async fn lines(server: &TestServer, record: &Value, path: &str) -> Value {
    let address = format!("/coverages-api/records/{}/lines?path={path}", record["id"]);
    server.get_json(&address).await
}

/// The newest row of the ledger.
pub(super) async fn newest_attempt(server: &TestServer) -> store::LedgerEntry {
    let ledger = server.store().await.writer().ledger(1).await.unwrap();
    ledger.into_iter().next().unwrap()
}
