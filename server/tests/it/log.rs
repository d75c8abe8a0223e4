//! Log lines for machines: each says of which request it is, and what an operator looks for.

use crate::harness::{Archive, Reachable, ServerProcess, Upload, cobertura};
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

/// The one line with this message of the request with this id.
fn line(log: &Path, message: &str, request_id: &str) -> Value {
    let log = std::fs::read_to_string(log).unwrap();
    let lines = log.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
        line
    });
    let mut found = lines.filter(|line| {
        line["fields"]["message"] == message && line["span"]["request_id"] == request_id
    });
    let line = found.next().unwrap_or_else(|| panic!("{message} in {log}"));
    assert!(found.next().is_none(), "{message} twice in {log}");
    line
}

async fn server(folder: &TempDir, log: &Path) -> ServerProcess {
    ServerProcess::start_logging(folder.path(), &["--log-format", "json"], log)
}

#[tokio::test]
async fn the_line_of_a_request_has_its_id_method_route_status_and_time() {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("log");
    let server = server(&folder, &log).await;
    let request = server.client().get(server.url("/records/7?q=private"));
    let request = request.header("x-request-id", "one");
    assert_eq!(request.send().await.unwrap().status(), 404);
    let line = line(&log, "answered", "one");
    assert_eq!(line["span"]["method"], "GET");
    assert_eq!(line["span"]["path"], "/records/7");
    assert_eq!(line["span"]["route"], "/records/{id}");
    assert_eq!(line["fields"]["status"], 404);
    assert!(line["fields"]["milliseconds"].is_u64(), "{line}");
    assert!(!line.to_string().contains("private"), "{line}");
}

#[tokio::test]
async fn the_line_of_an_upload_says_what_it_was_and_what_became_of_it() {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("log");
    let server = server(&folder, &log).await;
    let upload = || Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz());
    upload()
        .header("x-request-id", "taken")
        .accepted(&server)
        .await;
    upload()
        .with("branch_name", "a\nb\u{1b}[31m")
        .header("x-request-id", "refused")
        .refused(&server)
        .await;
    let taken = &line(&log, "upload", "taken")["fields"];
    for (name, value) in [
        ("org", "acme"),
        ("repo", "payments"),
        ("branch", "main"),
        ("commit", "c1"),
        ("language", "rust"),
        ("result", "created"),
    ] {
        assert_eq!(taken[name], value, "{name}");
    }
    assert!(taken["bytes"].as_u64() > Some(100), "{taken}");
    assert!(taken["seconds"].is_f64(), "{taken}");
    let refused = &line(&log, "upload", "refused")["fields"];
    assert_eq!(refused["result"], "invalid_parameter");
    assert_eq!(refused["branch"], "a\nb\u{1b}[31m");
}

#[tokio::test]
async fn what_a_client_writes_breaks_no_line_of_the_log_for_people() {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("log");
    let server = ServerProcess::start_logging(folder.path(), &[], &log);
    let upload = Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz());
    upload
        .with("branch_name", "a\nforged line\u{1b}[31m")
        .refused(&server)
        .await;
    let log = std::fs::read_to_string(&log).unwrap();
    assert!(log.contains("forged line"), "{log}");
    let is_forged = |line: &str| line.starts_with("forged") || line.contains('\u{1b}');
    assert!(!log.lines().any(is_forged), "{log}");
}
