//! More uploads than the service can run at once, and clients that keep it waiting.

use crate::{
    harness::{Archive, Reachable, TOKEN, TestServer, Upload, cobertura, noise, within_deadline},
    upload::bad_input::QUERY,
};
use std::time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{sleep, timeout},
};

const PART: &[u8] = b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n";

fn upload() -> Upload {
    Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz())
}

async fn start(arguments: &[&str]) -> TestServer {
    let token = ["--upload-token", TOKEN];
    TestServer::start_with(&[&token, arguments].concat()).await
}

async fn connect(server: &TestServer) -> TcpStream {
    TcpStream::connect(server.url("").replace("http://", ""))
        .await
        .unwrap()
}

/// An upload whose archive has begun. It continues only when the test sends more.
pub(crate) async fn begin(server: &TestServer) -> TcpStream {
    let mut stream = connect(server).await;
    let head = format!(
        "POST /coverages-api?{QUERY} HTTP/1.1\r\nhost: x\r\nauthorization: {TOKEN}\r\nconnection: close\r\n\
         content-type: multipart/form-data; boundary=x\r\ncontent-length: 1000000\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(PART).await.unwrap();
    stream.write_all(&[0x1f, 0x8b]).await.unwrap();
    stream
}

async fn answer(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

/// Waits until this upload holds the only permit.
pub(crate) async fn is_full(server: &TestServer) {
    let refused = async || upload().with("branch_name", "x").send(server).await;
    within_deadline(async {
        while refused().await.status() != 503 {
            sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn uploads_beyond_the_queue_are_503_with_retry_after() {
    let server = start(&["--concurrent-uploads", "1", "waiting_uploads", "0"]).await;
    let under_way = begin(&server).await;
    is_full(&server).await;
    let response = upload().send(&server).await;
    assert_eq!(response.status(), 503);
    assert!(
        response.headers()["retry-after"]
            .to_str()
            .unwrap()
            .parse::<u32>()
            .unwrap()
            > 0
    );
    let problem = response.text().await.unwrap();
    assert!(
        problem.contains("\"unavailable\"") && problem.contains("CONCURRENT_UPLOADS"),
        "{problem}"
    );
    drop(under_way);
    while upload().send(&server).await.status() == 503 {
        sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn slow_uploads_of_one_token_leave_permits_for_another() {
    let limits = ["--concurrent-uploads", "2", "waiting_uploads", "2"];
    let server = start(&[&limits[..], &["upload_wait_seconds", "1"]].concat()).await;
    let repository = ["--org", "acme", "--repo", "payments"];
    let create = [&["token", "create", "--name", "ci"][..], &repository].concat();
    server.get("/coverages-api/health").await;
    let made = server.command(&create).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let other = format!("Bearer {}", String::from_utf8(made.stdout).unwrap().trim());
    let mut under_way = Vec::new();
    for _ in 0..8 {
        under_way.push(begin(&server).await);
    }
    // The running uploads have the whole share of their token.
    is_full(&server).await;
    let by_other = || upload().authorization(Some(&other));
    by_other().accepted(&server).await;
    by_other().with("commit_hash", "c2").accepted(&server).await;
    assert_eq!(upload().send(&server).await.status(), 503);
}

#[tokio::test]
async fn an_upload_that_waits_too_long_for_a_permit_is_503() {
    let server = start(&["--concurrent-uploads", "1", "upload_wait_seconds", "1"]).await;
    let _under_way = begin(&server).await;
    is_full(&server).await;
    let (status, problem) = upload().refused(&server).await;
    assert_eq!(
        (status, problem["code"].as_str()),
        (503, Some("unavailable"))
    );
}

#[tokio::test]
async fn time_spent_waiting_for_the_service_does_not_make_a_client_slow() {
    let arguments = [
        "upload_idle_seconds",
        "1",
        "min_upload_bytes_per_second",
        "10000000",
    ];
    let one = ["--concurrent-uploads", "1"];
    let server = start(&[&arguments[..], &one].concat()).await;
    // It holds its permit for longer than a client may pause.
    let under_way = begin(&server).await;
    let archive = Archive::report("<p>", &cobertura(1, 2)).file("noise.png", noise(3_000_000));
    Upload::of(archive.tar()).accepted(&server).await;
    assert!(answer(under_way).await.contains("upload_too_slow"));
}

#[tokio::test]
async fn a_body_that_never_starts_is_408() {
    let server = start(&["upload_start_seconds", "1"]).await;
    let mut stream = connect(&server).await;
    let head = format!(
        "POST /coverages-api?{QUERY} HTTP/1.1\r\nhost: x\r\nauthorization: {TOKEN}\r\nconnection: close\r\n\
         content-type: multipart/form-data; boundary=x\r\ncontent-length: 1000000\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let answer = answer(stream).await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(
        answer.contains("upload_too_slow") && answer.contains("did not start within 1 seconds"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_body_that_pauses_is_408() {
    let server = start(&["upload_idle_seconds", "1"]).await;
    let answer = answer(begin(&server).await).await;
    assert!(
        answer.contains("upload_too_slow") && answer.contains("paused for more than 1 seconds"),
        "{answer}"
    );
}

/// The answer to a gzip header whose comment never ends.
async fn answer_to_dripping(server: &TestServer) -> String {
    let (mut reading, mut writing) = begin(server).await.into_split();
    let dripping = tokio::spawn(async move {
        writing.write_all(&[8, 16, 0, 0, 0, 0, 0, 0]).await.unwrap();
        while writing.write_all(b"x").await.is_ok() {
            sleep(Duration::from_millis(20)).await;
        }
    });
    let mut answer = String::new();
    reading.read_to_string(&mut answer).await.unwrap();
    dripping.abort();
    answer
}

#[tokio::test]
async fn a_body_that_drips_is_408() {
    let pace = ["min_upload_bytes_per_second", "5000"];
    let server = start(&[&["upload_idle_seconds", "1"][..], &pace].concat()).await;
    let answer = answer_to_dripping(&server).await;
    assert!(
        answer.contains("upload_too_slow")
            && answer.contains("was slower than 5000 bytes per second"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_body_that_exceeds_the_total_time_is_408() {
    let pace = ["min_upload_bytes_per_second", "0"];
    let server = start(&[&["max_upload_seconds", "1"][..], &pace].concat()).await;
    let answer = answer_to_dripping(&server).await;
    assert!(
        answer.contains("upload_too_slow") && answer.contains("took longer than 1 seconds"),
        "{answer}"
    );
}

#[tokio::test]
async fn clients_that_read_nothing_are_disconnected() {
    let connections = ["--max-connections", "2", "--connections-per-address", "2"];
    let server = start(&[&connections[..], &["response_stall_seconds", "1"]].concat()).await;
    let archive = Archive::report("<p>", &cobertura(1, 2)).file("noise.png", noise(20_000_000));
    let answer = Upload::of(archive.tar()).accepted(&server).await;
    let get = format!(
        "GET /reports/{}.zip HTTP/1.1\r\nhost: x\r\n\r\n",
        answer["coverage"]["id"]
    );
    let mut idle = Vec::new();
    for _ in 0..4 {
        let mut stream = connect(&server).await;
        stream.write_all(get.as_bytes()).await.unwrap();
        idle.push(stream);
    }
    // Health uses other connections. Only a page shows that there is room again.
    let page = async {
        loop {
            let others = reqwest::Client::new();
            match others.get(server.url("/setup")).send().await {
                Ok(page) if page.status() == 200 => break,
                _ => sleep(Duration::from_millis(10)).await,
            }
        }
    };
    timeout(Duration::from_secs(60), page).await.unwrap();
}

#[tokio::test]
async fn a_connection_without_a_complete_request_head_is_closed() {
    let server = start(&["request_head_seconds", "1"]).await;
    for begun in ["", "GET / HTTP/1.1\r\nhost: x\r\n"] {
        let mut stream = connect(&server).await;
        stream.write_all(begun.as_bytes()).await.unwrap();
        let closed = timeout(Duration::from_secs(60), answer(stream)).await;
        assert!(closed.is_ok(), "{begun:?}");
    }
}
