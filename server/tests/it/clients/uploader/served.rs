//! `GET /upload.sh` and its digest.

use crate::harness::{Reachable, TOKEN, TestServer};
use sha2::{Digest, Sha256};
use std::process::Command;
use tempfile::TempDir;

#[tokio::test]
async fn the_script_is_served_with_the_address_of_the_service_and_a_tag() {
    let server = TestServer::start_with(&[
        "--upload-token",
        TOKEN,
        "--public-url",
        "https://coverage.acme.example/",
    ])
    .await;
    let response = server.get("/upload.sh").await;
    assert_eq!(response.status(), 200);
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(header("x-content-type-options"), "nosniff");
    let tag = header("etag");
    let script = response.text().await.unwrap();
    assert!(script.starts_with("#!/bin/sh\n"));
    assert!(script.contains("\npublic_url='https://coverage.acme.example' #"));
    assert!(script.lines().count() <= 575);
    let again = server.client.get(server.url("/upload.sh"));
    let again = again.header("if-none-match", tag).send().await.unwrap();
    assert_eq!(again.status(), 304);
}

#[tokio::test]
async fn the_digest_is_that_of_the_served_script() {
    let server = TestServer::start().await;
    let script = server.get_text("/upload.sh").await;
    let digest = server.get_text("/upload.sh.sha256").await;
    let expected: String = Sha256::digest(&script)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(digest, format!("{expected}  upload.sh\n"));
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("upload.sh"), &script).unwrap();
    std::fs::write(folder.path().join("upload.sh.sha256"), &digest).unwrap();
    let checked = Command::new("sha256sum")
        .args(["--check", "upload.sh.sha256"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(checked.status.success());
}

#[tokio::test]
async fn the_script_needs_no_token_if_reading_is_protected() {
    let server = TestServer::start_with(&["--upload-token", TOKEN, "--protect-reading"]).await;
    for path in ["/upload.sh", "/upload.sh.sha256", "/ci/gitlab.yml"] {
        assert_eq!(server.get(path).await.status(), 200, "{path}");
        let post = server.client.post(server.url(path)).send().await.unwrap();
        assert_eq!(post.status(), 401, "{path}");
    }
    for path in ["/upload.sh/", "/upload.sh.sha1", "/upload", "/ci/", "/ci/x"] {
        assert_eq!(server.get(path).await.status(), 401, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_served_script_needs_no_variable_for_the_address() {
    let server = TestServer::start().await;
    let job = super::Job::with_remote("git@git.example.com:acme/payments.git");
    job.write_coverage(&[(1, 1)]);
    let line = "curl -fsS \"$SERVICE/upload.sh\" | sh -s -- --part unit";
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(job.root())
        .env("SERVICE", server.url(""))
        .env("COVERAGE_TOKEN", TOKEN)
        .env("NO_PROXY", "127.0.0.1")
        .env_remove("CI")
        .env_remove("GITHUB_ACTIONS")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    let summary = super::newest(&server).await;
    assert_eq!(summary["parts"]["arrived"][0], "unit");
}
