//! The order of checks on an upload: parameters, token, body. A failed check does none of the later work.

use crate::harness::{
    COMMIT, ForgeStandIn, GOOD, Kind, READS_ONLY, Reachable, TOKEN, TestServer, Untouched,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

const PARAMETERS: &str = "org_name=acme&repo_name=payments&branch_name=main&commit_author=Kim&language=rust&coverage_xml_file_name=coverage.xml";

/// Announces an upload of a hundred megabytes, sends no body, and reads the head of the answer.
async fn announce(server: &TestServer, query: &str, token: &str, expects: bool) -> String {
    let mut stream = TcpStream::connect(server.url("").replace("http://", ""))
        .await
        .unwrap();
    let expect = if expects {
        "expect: 100-continue\r\n"
    } else {
        ""
    };
    let head = format!(
        "POST /coverages-api?{PARAMETERS}{query} HTTP/1.1\r\nhost: x\r\nauthorization: {token}\r\n{expect}\
         content-type: multipart/form-data; boundary=x\r\ncontent-length: 100000000\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        let byte = stream.read_u8().await.unwrap();
        answer.push(byte);
    }
    String::from_utf8(answer).unwrap()
}

#[tokio::test]
async fn a_refusal_is_sent_before_the_body_arrives() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let listed = forge.listed();
    let server =
        TestServer::start_with(&["--upload-token", TOKEN, "--vcs-api-urls", &listed]).await;
    let (commit, with_forge) = (
        format!("&commit_hash={COMMIT}"),
        format!("&commit_hash={COMMIT}&vcs_api_url={}", forge.api()),
    );
    for (query, token, status) in [
        ("", TOKEN, "422"),
        (&commit[..], "wr0ng", "401"),
        (&with_forge, "wr0ng", "401"),
        (&with_forge, READS_ONLY, "403"),
    ] {
        for expects in [true, false] {
            let answer = announce(&server, query, token, expects).await;
            assert!(
                answer.starts_with(&format!("HTTP/1.1 {status} ")),
                "{answer}"
            );
        }
    }
}

#[tokio::test]
async fn only_a_valid_token_gets_100_continue() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let listed = forge.listed();
    let server =
        TestServer::start_with(&["--upload-token", TOKEN, "--vcs-api-urls", &listed]).await;
    let commit = format!("&commit_hash={COMMIT}");
    let with_forge = format!("{commit}&vcs_api_url={}", forge.api());
    for (query, token) in [(&commit, TOKEN), (&with_forge, GOOD)] {
        let answer = announce(&server, query, token, true).await;
        assert!(answer.starts_with("HTTP/1.1 100 "), "{answer}");
    }
}

#[tokio::test]
async fn parameters_are_checked_before_the_token() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let listed = forge.listed();
    let server = TestServer::start_with(&["--vcs-api-urls", &listed]).await;
    let named = Untouched::listen();
    for api in [forge.api(), named.url()] {
        let query = format!("&commit_hash=a%20b&vcs_api_url={api}");
        let answer = announce(&server, &query, GOOD, false).await;
        assert!(answer.starts_with("HTTP/1.1 422 "), "{answer}");
    }
    assert!(forge.calls().is_empty());
    named.assert_untouched();
}
