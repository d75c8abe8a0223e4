//! The legacy interface, with a PUT (v4) and with the body in the same request (v2).

use super::{
    COMMIT, LCOV, announced, payload, put, record, records, server, server_with, stated, summary,
};
use crate::{
    clients::foreign::token_for,
    harness::{Reachable, ServerProcess, TOKEN, gzip},
};
use reqwest::Response;
use tempfile::TempDir;

const QUERY: &str = "package=codecov-cli%2F11.3.1&build=77&build_url=https%3A%2F%2Fci.example.com%2F77&branch=feature&name=ci+-+test&slug=acme%2Fpayments&service=github-actions&flags=unit&flags=linux&pr=7&job=ci";

fn text() -> String {
    format!(
        "CI=true\n<<<<<< ENV\nREADME.md\nsrc/fee.py\n<<<<<< network\n# path=/home/runner/lcov.info\n{LCOV}\n<<<<<< EOF\n# path=fixes\nsrc/fee.py:3\n<<<<<< EOF\n"
    )
}

async fn v4(server: &impl Reachable, query: &str, token: &str) -> Response {
    let path = format!("/upload/v4?commit={COMMIT}&{query}");
    let request = server.client().post(server.url(&path));
    let request = request.header("x-upload-token", token);
    request.send().await.unwrap()
}

#[tokio::test]
async fn the_answer_has_two_lines_and_the_second_takes_the_body() {
    for body in [text().into_bytes(), gzip(text().as_bytes())] {
        let server = server().await;
        let answer = v4(&server, QUERY, TOKEN).await;
        assert_eq!(answer.status(), 200);
        let kind = answer.headers()["content-type"]
            .to_str()
            .unwrap()
            .to_owned();
        assert!(kind.starts_with("text/plain"), "{kind}");
        let answer = answer.text().await.unwrap();
        let lines: Vec<_> = answer.split('\n').collect();
        assert!(
            lines.len() == 2 && lines[0].ends_with("/repos/acme/payments"),
            "{answer}"
        );
        let stored = put(&server, lines[1], body).await;
        assert_eq!(stored.status(), 200);
        let record = record(&server, "acme/payments").await;
        assert_eq!(record["percentage"], 75.0);
        let summary = summary(&server, &record).await;
        assert_eq!(summary["pull_request"], "7");
        assert_eq!(summary["paths"]["matched"], 1, "{summary}");
        let row = super::newest_attempt(&server).await;
        assert_eq!(row.client.as_deref(), Some("codecov-cli 11.3.1"));
    }
}

#[tokio::test]
async fn a_refusal_is_a_sentence_in_plain_text() {
    let server = server().await;
    let refused = v4(&server, QUERY, "wr0ng").await;
    assert_eq!(refused.status(), 401);
    let text = refused.text().await.unwrap();
    assert!(text.contains("token") && !text.starts_with('{'), "{text}");
}

#[tokio::test]
async fn the_token_may_be_in_the_query() {
    let server = server().await;
    let query = format!("{QUERY}&token={TOKEN}");
    let answer = v4(&server, &query, "").await;
    assert_eq!(answer.status(), 200);
}

#[tokio::test]
async fn without_a_slug_the_token_names_the_repository() {
    let server = server().await;
    let query = "branch=feature&yaml=&flags=&package=node-v3.8.3";
    let refused = v4(&server, query, TOKEN).await;
    assert_eq!(refused.status(), 422);
    let why = refused.text().await.unwrap();
    assert!(why.contains("--slug"), "{why}");
    let few = server_with(&["--failed-tries-per-address", "1"]).await;
    for expected in [401, 429] {
        assert_eq!(v4(&few, query, "wr0ng").await.status(), expected);
    }
    let token = token_for(&server, "acme/payments");
    let answer = v4(&server, query, &token).await;
    assert_eq!(answer.status(), 200);
    let answer = answer.text().await.unwrap();
    let stored = put(&server, answer.split('\n').next_back().unwrap(), text()).await;
    assert_eq!(stored.status(), 200);
    record(&server, "acme/payments").await;
}

#[tokio::test]
async fn v2_has_the_body_in_the_same_request() {
    let server = server().await;
    let path = format!("/upload/v2?commit={COMMIT}&token={TOKEN}&{QUERY}");
    let request = server.client.post(server.url(&path));
    let request = request.header("content-encoding", "gzip");
    let answer = request.body(gzip(text().as_bytes())).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let answer: serde_json::Value = answer.json().await.unwrap();
    assert_eq!(answer["uploaded"], true, "{answer}");
    assert_eq!(records(&server, "acme/payments").await.len(), 1);
}

#[tokio::test]
async fn the_log_has_neither_an_address_of_a_body_nor_a_token() {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("log");
    let accept = ["--accept", "codecov"];
    let server = ServerProcess::start_logging(folder.path(), &accept, &log);
    let answer = v4(&server, &format!("{QUERY}&token={TOKEN}"), "").await;
    let answer = answer.text().await.unwrap();
    let legacy = answer.split('\n').next_back().unwrap().to_owned();
    let called = announced(&server, &stated()).await;
    let v2 = format!("/upload/v2?commit={COMMIT}&token={TOKEN}&{QUERY}");
    for (address, body) in [
        (&legacy, text()),
        (&called, payload(&[("lcov.info", LCOV)])),
    ] {
        // Refused, stored, and repeated.
        assert_eq!(put(&server, address, "{").await.status().as_u16() / 100, 4);
        assert_eq!(put(&server, address, body.clone()).await.status(), 200);
        assert_eq!(put(&server, address, body).await.status(), 200);
    }
    let request = server.client().post(server.url(&v2));
    assert_eq!(request.body(text()).send().await.unwrap().status(), 200);
    let log = std::fs::read_to_string(&log).unwrap();
    assert!(log.contains("/upload/bodies/"), "{log}");
    for address in [legacy, called] {
        let ticket = address.rsplit(['/', '.']).next().unwrap();
        assert!(ticket.len() > 40, "{ticket}");
        assert!(!log.contains(ticket), "{log}");
    }
    assert!(!log.contains(TOKEN), "{log}");
}
