//! Clients that send too much, too little, or everything before they read.

use super::QUERY;
use crate::harness::{Archive, Reachable, TestServer};
use serde_json::Value;

/// Sends an upload of 20 MB and reads the answer only afterwards.
async fn send_first_read_later(
    server: &TestServer,
    query: &str,
    authorization: &str,
    boundary: &str,
    body: Vec<u8>,
) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let address = server.url("").replace("http://", "");
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /coverages-api?{query} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: {authorization}\r\n\
         content-type: multipart/form-data; boundary={boundary}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&body).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

fn multipart(content: &[u8]) -> Vec<u8> {
    let head = b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n";
    [&head[..], content, b"\r\n--x--\r\n"].concat()
}

#[tokio::test]
async fn a_multipart_body_that_breaks_off_is_400() {
    let server = TestServer::start().await;
    let url = server.url(&format!("/coverages-api?{QUERY}"));
    let body = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\nhalf";
    let request = server
        .client
        .post(url)
        .header("authorization", "t0ken")
        .header("content-type", "multipart/form-data; boundary=x");
    let response = request.body(body).send().await.unwrap();
    assert_eq!(response.status(), 400);
    assert_eq!(
        response.json::<Value>().await.unwrap()["code"],
        "malformed_request"
    );
    assert!(server.records().await.is_empty() && server.stored_files().is_empty());
}

#[tokio::test]
async fn a_client_that_sends_everything_first_still_gets_the_refusal() {
    let server =
        TestServer::start_with(&["--upload-token", "t0ken", "--max-upload-bytes", "15000000"])
            .await;
    let large = multipart(&vec![b'x'; 20_000_000]);
    let fits = multipart(&vec![b'x'; 10_000_000]);
    for (query, authorization, body, code) in [
        ("org_name=a", "t0ken", &large, "invalid_parameter"),
        (QUERY, "wr0ng", &large, "invalid_token"),
        (QUERY, "t0ken", &fits, "unsupported_media_type"),
    ] {
        let answer = send_first_read_later(&server, query, authorization, "x", body.clone()).await;
        assert!(answer.contains(code), "{code}: {answer}");
    }
    let too_large = multipart(&Archive::new().file("noise", vec![b'x'; 20_000_000]).tar());
    let answer = send_first_read_later(&server, QUERY, "t0ken", "x", too_large).await;
    assert!(answer.contains("upload_too_large"), "{answer}");
}

#[tokio::test]
async fn bytes_before_the_file_part_are_limited() {
    let server = TestServer::start().await;
    let never_begins = vec![b'x'; 4_000_000];
    let answer = send_first_read_later(&server, QUERY, "t0ken", "never", never_begins).await;
    assert!(
        answer.starts_with("HTTP/1.1 400") && answer.contains("malformed_request"),
        "{answer}"
    );
}
