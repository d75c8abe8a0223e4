//! Coveralls' clients: bodies as they send them, and what each of them needs as an answer.

mod badges;
mod bodies;
mod parallel;
pub(super) mod programs;
mod refused;
mod stated;

use crate::harness::{COMMIT, Reachable, TOKEN, TestServer};
use reqwest::{
    Response,
    multipart::{Form, Part},
};
use serde_json::{Value, json};

pub(super) const JOBS: &str = "/api/v1/jobs";
const FORM: &str = "application/x-www-form-urlencoded";

async fn server() -> TestServer {
    server_with(&[]).await
}

async fn server_with(flags: &[&str]) -> TestServer {
    let own = ["--upload-token", TOKEN, "--accept", "coveralls"];
    TestServer::start_with(&[&own, flags].concat()).await
}

/// A job of the client on PyPI, which sends its token last.
pub(super) fn job() -> Value {
    json!({
        "source_files": [{
            "name": "src/fee.py",
            "source": "a\nb\nc\n",
            "coverage": [null, 3, 0, 1, null],
            "branches": [2, 0, 3, 1, 2, 0, 4, 0],
        }],
        "git": {
            "branch": "main",
            "head": {"id": COMMIT, "author_name": "Kim", "message": "Price a stay"},
            "remotes": [{"name": "origin", "url": "https://git.example.com/acme/payments.git"}],
        },
        "service_name": "coveralls-python",
        "repo_token": TOKEN,
        "config_file": ".coveragerc",
    })
}

pub(super) fn with(mut job: Value, members: &Value) -> Value {
    let all = job.as_object_mut().expect("an object");
    all.extend(members.as_object().expect("an object").clone());
    job
}

/// Sends a job as the client on PyPI does.
pub(super) async fn send(server: &TestServer, job: &Value) -> Response {
    let part = Part::text(job.to_string()).file_name("json_file");
    let form = Form::new().part("json_file", part);
    let request = server.client().post(server.url(JOBS)).multipart(form);
    request.send().await.unwrap()
}

pub(super) async fn answer(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    (status, response.json().await.unwrap())
}

/// Sends a job that is accepted. The answer has what all clients need, and nothing that one takes for a failure.
async fn accepted(server: &TestServer, job: &Value) -> Value {
    let (status, answer) = answer(send(server, job).await).await;
    assert_is_done(status, &answer);
    answer
}

fn assert_is_done(status: u16, answer: &Value) {
    assert_eq!(status, 200, "{answer}");
    let members: Vec<_> = answer.as_object().unwrap().keys().collect();
    assert_eq!(members, ["message", "url"], "{answer}");
    let url = answer["url"].as_str().unwrap();
    assert!(url.starts_with("http"), "{answer}");
}

/// Sends a job that is refused, and returns the status and the sentence.
async fn refused(server: &TestServer, job: &Value) -> (u16, String) {
    let (status, answer) = answer(send(server, job).await).await;
    assert!((400..500).contains(&status), "{status}: {answer}");
    assert_eq!(answer["error"], true);
    (status, answer["message"].as_str().unwrap().to_owned())
}

/// What the record of the newest upload has, without its id and times.
async fn numbers(server: &TestServer) -> Value {
    numbers_of(server, "payments", "src/fee.py").await
}

/// What the current record of a repository and one of its files have, without ids and times.
async fn numbers_of(server: &TestServer, repo: &str, path: &str) -> Value {
    let records = server.current_records().await;
    let mut records = records.iter();
    let record = records.find(|record| record["repo_name"] == repo);
    let record = record.expect("a record");
    let id = &record["id"];
    let whole = server
        .get_json(&format!("/coverages-api/records/{id}"))
        .await;
    let lines = server
        .get_json(&format!("/coverages-api/records/{id}/lines?path={path}"))
        .await;
    json!({
        "names": [record["org_name"], record["repo_name"], record["branch_name"], record["commit_hash"], record["language"]],
        "author": record["commit_author"],
        "percentage": record["percentage"],
        "counts": [whole["lines"], whole["branches"]],
        "lines": [lines["hit"], lines["partial"], lines["missed"]],
    })
}
