//! `GET /download/{target}`: the binary for jobs and laptops.

use crate::harness::{Reachable, TOKEN, TestServer};
use sha2::{Digest, Sha256};

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
    let digest: String = Sha256::digest(&binary)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let stated = server.get_text(&format!("{path}.sha256")).await;
    assert_eq!(stated, format!("{digest}  coverage-dashboard\n"));
    let again = server
        .client()
        .get(server.url(&path))
        .header("if-none-match", etag);
    assert_eq!(again.send().await.unwrap().status(), 304);
    assert!(binary.starts_with(b"\x7fELF"), "a program");
}

#[tokio::test]
async fn another_target_is_refused_with_the_name_of_the_own_one() {
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
        assert!(problem.contains("its own binary: /download/"), "{problem}");
    }
}
