//! JSON log lines: each names its request and the facts that an operator needs.

use crate::harness::{
    Archive, BINARY, LoginIssuer, Reachable, ServerProcess, Upload, cobertura, database_url,
};
use reqwest::{Client, Method, redirect::Policy};
use serde_json::{Value, json};
use std::{path::Path, process::Command};
use tempfile::TempDir;

/// The single line with this message of the request with this id.
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
async fn a_request_log_line_has_id_method_route_status_and_time() {
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
async fn an_upload_log_line_has_its_names_and_its_result() {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("log");
    let server = server(&folder, &log).await;
    let upload = || Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz());
    upload()
        .header("x-request-id", "accepted")
        .accepted(&server)
        .await;
    upload()
        .with("branch_name", "a\nb\u{1b}[31m")
        .header("x-request-id", "refused")
        .refused(&server)
        .await;
    let accepted = &line(&log, "upload", "accepted")["fields"];
    for (name, value) in [
        ("org", "acme"),
        ("repo", "payments"),
        ("branch", "main"),
        ("commit", "c1"),
        ("language", "rust"),
        ("result", "created"),
    ] {
        assert_eq!(accepted[name], value, "{name}");
    }
    assert!(accepted["bytes"].as_u64() > Some(100), "{accepted}");
    assert!(accepted["seconds"].is_f64(), "{accepted}");
    let refused = &line(&log, "upload", "refused")["fields"];
    assert_eq!(refused["result"], "invalid_parameter");
    assert_eq!(refused["branch"], "a\nb\u{1b}[31m");
}

#[tokio::test]
async fn a_login_leaves_the_identifier_of_the_person_and_no_name_group_or_secret() {
    // Its address must be known before it starts, and no other test may have it.
    let [a, b, c, _] = rand::random::<[u8; 4]>();
    let addr = format!("127.{a}.{b}.{}:8473", c.clamp(1, 254));
    let public_url = format!("http://{addr}");
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("log");
    let issuer = LoginIssuer::start().await;
    let own = [
        "--addr",
        &addr,
        "--public-url",
        &public_url,
        "--read-orgs",
        "acme=red-team",
    ];
    let flags = [&issuer.flags()[..], &["--log-format", "json"], &own].concat();
    let server = ServerProcess::start_logging(folder.path(), &flags, &log);
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    let mut secrets = vec!["kim@example.com".to_owned(), "-team".to_owned()];
    for (group, status) in [("red-team", 303), ("blue-team", 403)] {
        issuer.logs_in(json!({ "sub": "kim-1", "email": "kim@example.com", "groups": [group] }));
        let started = client.get(server.url("/login/start")).send().await.unwrap();
        let text = |name: &str| started.headers()[name].to_str().unwrap().to_owned();
        let (cookie, address) = (text("set-cookie"), text("location"));
        let cookie = cookie.split(';').next().unwrap();
        let sent = client.get(address).send().await.unwrap();
        let back = sent.headers()["location"].to_str().unwrap();
        let back = back.strip_prefix(&public_url).unwrap();
        let request = client.get(server.url(back)).header("cookie", cookie);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), status);
        let session = answer.headers()["set-cookie"].to_str().unwrap();
        let (_, session) = session.split_once('=').unwrap();
        let parts = [cookie.split_once('=').unwrap().1, session, back];
        let parts = parts
            .iter()
            .flat_map(|part| part.split(['.', ';', '=', '&']));
        secrets.extend(parts.filter(|part| part.len() >= 20).map(str::to_owned));
    }
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("a person has logged in") && log.contains("kim-1"));
    assert!(
        log.contains("READ_ORGS names no group of this person"),
        "{log}"
    );
    assert!(secrets.len() >= 10, "{secrets:?}");
    for secret in secrets {
        assert!(!log.contains(&secret), "{secret}: {log}");
    }
}

#[tokio::test]
async fn client_input_never_splits_a_text_log_line() {
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

#[tokio::test]
async fn no_log_line_contains_the_signature_of_a_report_address() {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("log");
    let server = ServerProcess::start_logging(folder.path(), &["--protect-reading"], &log);
    let archive = Archive::report("<p>", &cobertura(1, 2));
    Upload::of(archive.tar_gz()).accepted(&server).await;
    let made = Command::new(BINARY)
        .args(["token", "create", "--name", "kim", "--for", "read"])
        .env("DATABASE_URL", database_url(folder.path()))
        .output()
        .unwrap();
    let token = String::from_utf8(made.stdout).unwrap();
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    let get = client
        .get(server.url("/reports/1/"))
        .bearer_auth(token.trim());
    let led = get.send().await.unwrap();
    let signed = led.headers()["location"].to_str().unwrap().to_owned();
    let (root, _) = signed.rsplit_once('/').unwrap();
    let signature = root.rsplit_once('.').unwrap().1;
    assert_eq!(signature.len(), 32, "{signed}");
    let encoded = signed.replace('.', "%2e").replace('@', "%40");
    let requested = [
        (Method::GET, signed.clone(), 200),
        (Method::GET, encoded, 401),
        (Method::GET, format!("{root}/missing"), 404),
        (Method::GET, format!("/{signed}"), 401),
        (Method::GET, signed.replace("/1/", "/2/"), 401),
        (Method::GET, format!("/coverages-api{signed}"), 401),
        (Method::POST, signed.clone(), 401),
        (Method::GET, format!("/login?next={signed}"), 200),
    ];
    for (method, path, status) in requested {
        let answer = client.request(method.clone(), server.url(&path));
        let answer = answer.send().await.unwrap();
        assert_eq!(answer.status(), status, "{method} {path}");
        let answer = client
            .request(method, server.url(&path))
            .bearer_auth(token.trim());
        answer.send().await.unwrap();
    }
    let log = std::fs::read_to_string(&log).unwrap();
    assert!(log.contains("does not support POST"), "{log}");
    let line = log.lines().find(|line| line.contains(signature));
    assert_eq!(line, None);
}
