//! Clients that hang up in the middle of an upload.

use super::{assert_no_orphans, assert_nothing_left, assert_whole, upload};
use crate::harness::{Reachable, TestServer};
use std::time::Duration;
use tokio::{io::AsyncWriteExt, net::TcpStream, time::sleep};

const QUERY: &str = "org_name=acme&repo_name=payments&branch_name=main&commit_hash=c2&commit_author=Kim&language=rust&coverage_xml_file_name=coverage.xml";

/// Sends `share` of the bytes of a valid upload and hangs up.
async fn hang_up_after(server: &TestServer, share: f64) {
    let file = upload(2).body();
    let part = b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n";
    let body = [&part[..], &file, b"\r\n--x--\r\n"].concat();
    let head = format!(
        "POST /coverages-api?{QUERY} HTTP/1.1\r\nhost: x\r\nauthorization: t0ken\r\n\
         content-type: multipart/form-data; boundary=x\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let sent = (body.len() as f64 * share) as usize;
    let mut stream = TcpStream::connect(server.url("").replace("http://", ""))
        .await
        .unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&body[..sent]).await.unwrap();
}

/// The error code of the ledger's newest row, once it has this many rows.
async fn newest_code(server: &TestServer, rows: usize) -> String {
    let store = server.store().await;
    loop {
        let ledger = store.writer().ledger(100).await.unwrap();
        if ledger.len() >= rows {
            return ledger[0].code.clone();
        }
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn an_aborted_upload_leaves_only_a_row_in_the_ledger() {
    let server = TestServer::start().await;
    let before = upload(1).accepted(&server).await["coverage"].clone();
    for (rows, share) in [(2, 0.0), (3, 0.5), (4, 0.99)] {
        hang_up_after(&server, share).await;
        assert_eq!(newest_code(&server, rows).await, "malformed_request");
    }
    assert_eq!(
        server.current_records().await,
        std::slice::from_ref(&before)
    );
    assert_whole(&server, &before).await;
    assert_no_orphans(&server, 1);
    assert_nothing_left(&server).await;
}

#[tokio::test]
async fn an_upload_is_stored_if_the_client_hangs_up_after_the_last_byte() {
    let server = TestServer::start().await;
    hang_up_after(&server, 1.0).await;
    assert_eq!(newest_code(&server, 1).await, "created");
    let records = server.current_records().await;
    assert_whole(&server, &records[0]).await;
    assert_no_orphans(&server, 1);
}
