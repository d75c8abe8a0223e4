//! The share of upload permits that one forge token may hold.

use super::*;
use crate::{
    harness::{Kind, Reachable},
    upload::bad_input::QUERY,
};
use std::time::Duration;
use tokio::{io::AsyncWriteExt, net::TcpStream, time::sleep};

const PART: &[u8] = b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n";

/// An upload with the forge's token whose archive has begun and does not continue.
async fn begin(server: &TestServer, forge: &ForgeStandIn, repo: &str) -> TcpStream {
    let address = server.url("").replace("http://", "");
    let mut stream = TcpStream::connect(address).await.unwrap();
    let query = QUERY
        .replace("repo_name=b", &format!("repo_name={repo}"))
        .replace("commit_hash=d", &format!("commit_hash={COMMIT}"));
    let head = format!(
        "POST /coverages-api?{query}&vcs_api_url={} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {GOOD}\r\n\
         content-type: multipart/form-data; boundary=x\r\ncontent-length: 1000000\r\n\r\n",
        forge.api()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(PART).await.unwrap();
    stream.write_all(&[0x1f, 0x8b]).await.unwrap();
    stream
}

#[tokio::test]
async fn slow_uploads_of_one_forge_token_leave_permits_for_another() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let limits = ["--concurrent-uploads", "4", "waiting_uploads", "0"];
    let own = ["--upload-token", "own-token-of-the-service"];
    let server = server_with(&[&forge], &[&limits[..], &own].concat()).await;
    let mut under_way = Vec::new();
    for number in 0..8 {
        let repo = format!("repo-{number}");
        forge.allow(&format!("a/{repo}"));
        under_way.push(begin(&server, &forge, &repo).await);
    }
    // Half of the permits is the share of the token, for any number of repositories.
    let refused = async || {
        let metrics = server.get("/metrics").await.text().await.unwrap();
        let refused = metrics.lines().filter(|line| {
            line.starts_with("coverage_uploads_total") && line.contains("\"unavailable\"")
        });
        let count = |line: &str| line.rsplit_once(' ')?.1.parse::<f64>().ok();
        refused.filter_map(count).sum::<f64>()
    };
    let mut waited = 0;
    while refused().await < 6.0 && waited < 500 {
        sleep(Duration::from_millis(10)).await;
        waited += 1;
    }
    assert_eq!(refused().await, 6.0);
    let own = Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz());
    let own = own.authorization(Some("Bearer own-token-of-the-service"));
    own.with("repo_name", "other").accepted(&server).await;
}
