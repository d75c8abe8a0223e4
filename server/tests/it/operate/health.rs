//! The checks of liveness, health and readiness, and the `healthcheck` command.

use crate::harness::{BINARY, Reachable, TOKEN, TestServer, Untouched};
use reqwest::Response;
use std::{
    process::{Command, Output},
    time::Duration,
};
use tempfile::TempDir;
use tokio::time::sleep;

async fn assert_answers(server: &TestServer, path: &str, status: u16) -> Response {
    let response = server.get(path).await;
    assert_eq!(response.status(), status, "{path}");
    response
}

/// A service with reports in a folder, even if other tests use a bucket.
async fn on_a_folder() -> TestServer {
    let folder = TempDir::new().unwrap();
    TestServer::start_at(folder, None, &["--upload-token", TOKEN]).await
}

#[tokio::test]
async fn a_working_service_is_alive_healthy_and_ready_without_a_token() {
    let protected = ["--upload-token", TOKEN, "--protect-reading"];
    for arguments in [&protected[..2], &protected] {
        let server = TestServer::start_with(arguments).await;
        for path in ["live", "health", "ready"] {
            assert_answers(&server, &format!("/coverages-api/{path}"), 200).await;
        }
    }
}

#[tokio::test]
async fn a_service_is_not_ready_while_it_cannot_store_reports() {
    let server = on_a_folder().await;
    let incoming = server.folder.path().join("reports/.incoming");
    let away = server.folder.path().join("away");
    // The service must have started.
    assert_answers(&server, "/coverages-api/live", 200).await;
    std::fs::rename(&incoming, &away).unwrap();
    let refused = assert_answers(&server, "/coverages-api/ready", 503).await;
    assert!(refused.headers().contains_key("retry-after"));
    let problem = refused.text().await.unwrap();
    assert!(problem.contains("Reports cannot be stored"), "{problem}");
    let folder = server.folder.path().display().to_string();
    assert!(!problem.contains(&folder), "{problem}");
    assert_answers(&server, "/coverages-api/live", 200).await;
    assert_answers(&server, "/coverages-api/health", 200).await;
    std::fs::rename(&away, &incoming).unwrap();
    while server.get("/coverages-api/ready").await.status() != 200 {
        sleep(Duration::from_millis(20)).await;
    }
}

async fn healthcheck(arguments: &[&str]) -> Output {
    let mut command = Command::new(BINARY);
    command.arg("healthcheck").args(arguments).env_clear();
    let run = tokio::task::spawn_blocking(move || command.output());
    run.await.unwrap().unwrap()
}

fn assert_says(output: &Output, code: i32, sentence: &str) {
    let messages =
        String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned();
    assert_eq!(output.status.code(), Some(code), "{messages}");
    assert!(
        messages.contains(sentence) && messages.lines().count() == 1,
        "{messages}"
    );
}

#[tokio::test]
async fn the_healthcheck_distinguishes_healthy_and_unhealthy_services() {
    let server = on_a_folder().await;
    let addr = server.url("").replace("http://", "");
    let well = healthcheck(&["--addr", &addr]).await;
    assert_says(&well, 0, "/coverages-api/health answers 200");
    let ready = healthcheck(&["--url", &server.url("/"), "--ready"]).await;
    assert_says(&ready, 0, "/coverages-api/ready answers 200");
    std::fs::remove_dir(server.folder.path().join("reports/.incoming")).unwrap();
    while server.get("/coverages-api/ready").await.status() != 503 {
        sleep(Duration::from_millis(20)).await;
    }
    let unwell = healthcheck(&["--url", &server.url(""), "--ready"]).await;
    assert_says(&unwell, 1, "/coverages-api/ready answers 503");
}

#[tokio::test]
async fn the_healthcheck_times_out_and_names_the_silent_service() {
    let silent = Untouched::listen();
    let url = silent.url();
    let waited = healthcheck(&["--url", &url, "--timeout-seconds", "1"]).await;
    assert_says(&waited, 1, &format!("no answer from {url}"));
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().to_string()
    };
    let refused = healthcheck(&["--addr", &closed]).await;
    assert_says(&refused, 1, &format!("no answer from http://{closed}"));
}
