//! `GET /download/{target}`: the binary for jobs and laptops.

use crate::harness::{BINARY, Reachable, ServerProcess, TOKEN, TestServer};
use sha2::{Digest, Sha256};
use std::{env::consts::ARCH, fs, path::Path, process::Command};
use tempfile::TempDir;

#[tokio::test(flavor = "multi_thread")]
async fn the_own_program_is_served_with_its_digest() {
    let server = TestServer::start_with(&["--upload-token", TOKEN, "--protect-reading"]).await;
    let path = format!(
        "/download/{}-{}",
        std::env::consts::ARCH,
        std::env::consts::OS
    );
    let response = server.get(&path).await;
    assert_eq!(response.status(), 200, "no read token is needed");
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(
        header("content-disposition"),
        "attachment; filename=\"coverage-dashboard\""
    );
    let (etag, length) = (header("etag"), header("content-length"));
    let binary = response.bytes().await.unwrap();
    assert_eq!(binary.len().to_string(), length);
    let stated = server.get_text(&format!("{path}.sha256")).await;
    assert_eq!(stated, format!("{}  coverage-dashboard\n", sha256(&binary)));
    let again = server
        .client()
        .get(server.url(&path))
        .header("if-none-match", etag);
    assert_eq!(again.send().await.unwrap().status(), 304);
    assert!(binary.starts_with(b"\x7fELF"), "a program");
}

#[tokio::test]
async fn another_target_is_refused_with_the_targets_that_there_are() {
    let server = TestServer::start().await;
    for other in [
        "sparc-solaris",
        "sparc-solaris.sha256",
        "..%2Fetc",
        "x86_64-linux.sha256.sha256",
    ] {
        let response = server.get(&format!("/download/{other}")).await;
        assert_eq!(response.status(), 404, "{other}");
        let problem = response.text().await.unwrap();
        assert!(
            problem.contains("has these programs: /download/"),
            "{problem}"
        );
    }
}

#[tokio::test]
async fn small_programs_beside_the_binary_are_served_instead_of_it() {
    // A link, since the binary of a test build is large. It must be in the same file system.
    let folder = TempDir::new_in(Path::new(BINARY).parent().unwrap()).unwrap();
    let binary = folder.path().join("coverage-dashboard");
    fs::hard_link(BINARY, &binary).unwrap();
    let clients = folder.path().join("clients");
    fs::create_dir(&clients).unwrap();
    let own = format!("{ARCH}-linux");
    fs::write(clients.join(&own), "small").unwrap();
    fs::write(clients.join("riscv64-linux"), "of another processor").unwrap();
    let server = ServerProcess::start_by(Command::new(&binary), folder.path(), &[]);
    let path = |target: &str| format!("/download/{target}");
    assert_eq!(server.get_text(&path(&own)).await, "small");
    assert_eq!(
        server.get_text(&path("riscv64-linux")).await,
        "of another processor"
    );
    let stated = |target: &str| path(&format!("{target}.sha256"));
    let digest = |text: &str| format!("{}  coverage-dashboard\n", sha256(text.as_bytes()));
    assert_eq!(server.get_text(&stated(&own)).await, digest("small"));
    let unknown = server.get(&path("..%2Fcoverage.db")).await;
    assert_eq!(unknown.status(), 404);
    let problem = unknown.text().await.unwrap();
    let both = ["riscv64-linux", &own].map(path);
    assert!(both.iter().all(|path| problem.contains(path)), "{problem}");

    // An upgrade may replace a file while the service runs.
    fs::write(clients.join("new"), "of a new release").unwrap();
    fs::rename(clients.join("new"), clients.join(&own)).unwrap();
    assert_eq!(server.get_text(&path(&own)).await, "of a new release");
    assert_eq!(
        server.get_text(&stated(&own)).await,
        digest("of a new release")
    );
}

fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
