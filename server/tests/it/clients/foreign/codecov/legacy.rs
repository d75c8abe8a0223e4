//! The legacy interface, with a PUT (v4) and with the body in the same request (v2).

use super::{COMMIT, LCOV, put, record, records, server, summary};
use crate::{
    clients::foreign::token_for,
    harness::{Reachable, TOKEN, TestServer, gzip},
};
use reqwest::Response;

const QUERY: &str = "package=codecov-cli%2F11.3.1&build=77&build_url=https%3A%2F%2Fci.example.com%2F77&branch=feature&name=ci+-+test&slug=acme%2Fpayments&service=github-actions&flags=unit&flags=linux&pr=7&job=ci";

fn text() -> String {
    format!(
        "CI=true\n<<<<<< ENV\nREADME.md\nsrc/fee.py\n<<<<<< network\n# path=/home/runner/lcov.info\n{LCOV}\n<<<<<< EOF\n# path=fixes\nsrc/fee.py:3\n<<<<<< EOF\n"
    )
}

async fn v4(server: &TestServer, query: &str, token: &str) -> Response {
    let path = format!("/upload/v4?commit={COMMIT}&{query}");
    let request = server.client.post(server.url(&path));
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
