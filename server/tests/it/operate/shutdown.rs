//! The shutdown of the real binary: requests in progress are finished, and load balancers see it first.

use crate::{
    harness::{Archive, BINARY, Reachable, ServerProcess, TOKEN, Upload, cobertura},
    upload::bad_input::QUERY,
};
use std::{os::unix::net::UnixDatagram, process::Command, time::Duration};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{sleep, timeout},
};

/// Longer than any step here takes, unless it hangs.
const LONG: Duration = Duration::from_secs(60);

fn archive() -> Vec<u8> {
    Archive::report("<p>", &cobertura(1, 2)).tar_gz()
}

/// An upload of which half is sent.
struct HalfSent {
    stream: TcpStream,
    rest: Vec<u8>,
}

impl HalfSent {
    async fn begin(server: &ServerProcess) -> Self {
        let mut body =
            b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n"
                .to_vec();
        body.extend(archive());
        body.extend(b"\r\n--x--\r\n");
        let query = QUERY.replace("g.xml", "coverage.xml");
        let head = format!(
            "POST /coverages-api?{query} HTTP/1.1\r\nhost: x\r\nauthorization: {TOKEN}\r\nexpect: 100-continue\r\n\
             content-type: multipart/form-data; boundary=x\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let mut stream = connect(server).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        // The upload is in progress: its token was checked.
        let mut go_on = [0; 25];
        stream.read_exact(&mut go_on).await.unwrap();
        assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
        let rest = body.split_off(body.len() / 2);
        stream.write_all(&body).await.unwrap();
        Self { stream, rest }
    }

    async fn finish(mut self) -> String {
        self.stream.write_all(&self.rest).await.unwrap();
        let mut answer = String::new();
        self.stream.read_to_string(&mut answer).await.unwrap();
        answer
    }
}

async fn connect(server: &ServerProcess) -> std::io::Result<TcpStream> {
    TcpStream::connect(server.url("").replace("http://", "")).await
}

/// Waits until no connection is accepted.
async fn is_closed(server: &ServerProcess) {
    while connect(server).await.is_ok() {
        sleep(Duration::from_millis(10)).await;
    }
}

async fn exit_code(server: ServerProcess) -> Option<i32> {
    timeout(LONG, server.exited()).await.expect("an end").code()
}

#[tokio::test]
async fn an_upload_in_progress_at_shutdown_is_stored_before_a_clean_exit() {
    let folder = TempDir::new().unwrap();
    let server = ServerProcess::start(folder.path(), &[]);
    let upload = HalfSent::begin(&server).await;
    server.signal("TERM");
    timeout(LONG, is_closed(&server))
        .await
        .expect("a closed door");
    let answer = upload.finish().await;
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    assert_eq!(exit_code(server).await, Some(0));
    let server = ServerProcess::start(folder.path(), &[]);
    assert_eq!(server.records().await.len(), 1);
}

#[tokio::test]
async fn readiness_fails_at_the_signal_while_requests_are_still_accepted() {
    let folder = TempDir::new().unwrap();
    let server = ServerProcess::start(folder.path(), &["--shutdown-delay-seconds", "3600"]);
    assert_eq!(server.get("/coverages-api/ready").await.status(), 200);
    server.signal("TERM");
    while server.get("/coverages-api/ready").await.status() != 503 {
        sleep(Duration::from_millis(10)).await;
    }
    let reason = server.get("/coverages-api/ready").await.text().await;
    assert!(reason.unwrap().contains("stopping"));
    for path in ["live", "health"] {
        let path = format!("/coverages-api/{path}");
        assert_eq!(server.get(&path).await.status(), 200, "{path}");
    }
    Upload::of(archive()).accepted(&server).await;
    server.signal("TERM");
    assert_eq!(exit_code(server).await, Some(130), "at once");
}

#[tokio::test]
async fn the_shutdown_delay_ends_automatically() {
    let folder = TempDir::new().unwrap();
    let server = ServerProcess::start(folder.path(), &["--shutdown-delay-seconds", "1"]);
    server.signal("TERM");
    assert_eq!(exit_code(server).await, Some(0));
}

#[tokio::test]
async fn a_second_signal_ends_the_service_at_once() {
    let folder = TempDir::new().unwrap();
    let server = ServerProcess::start(folder.path(), &["--shutdown-grace-seconds", "3600"]);
    let _under_way = HalfSent::begin(&server).await;
    server.signal("TERM");
    timeout(LONG, is_closed(&server))
        .await
        .expect("a closed door");
    server.signal("TERM");
    assert_eq!(exit_code(server).await, Some(130));
}

#[tokio::test]
async fn an_unfinished_request_delays_the_exit_for_the_grace_time_only() {
    let folder = TempDir::new().unwrap();
    let server = ServerProcess::start(folder.path(), &["--shutdown-grace-seconds", "1"]);
    let _under_way = HalfSent::begin(&server).await;
    server.signal("TERM");
    assert_eq!(exit_code(server).await, Some(0));
    let server = ServerProcess::start(folder.path(), &[]);
    assert_eq!(server.records().await.len(), 0);
}

#[tokio::test]
async fn systemd_is_notified_of_readiness_and_stopping() {
    let folder = TempDir::new().unwrap();
    let socket = folder.path().join("notify");
    let listening = UnixDatagram::bind(&socket).unwrap();
    listening.set_read_timeout(Some(LONG)).unwrap();
    let heard = || {
        let mut text = [0; 64];
        let length = listening.recv(&mut text).unwrap();
        String::from_utf8_lossy(&text[..length]).into_owned()
    };
    let mut command = Command::new(BINARY);
    command.env("NOTIFY_SOCKET", &socket);
    let server = ServerProcess::start_by(command, folder.path(), &[]);
    assert_eq!(heard(), "READY=1");
    assert_eq!(server.get("/coverages-api/health").await.status(), 200);
    server.signal("TERM");
    assert_eq!(heard(), "STOPPING=1");
    assert_eq!(exit_code(server).await, Some(0));
}
