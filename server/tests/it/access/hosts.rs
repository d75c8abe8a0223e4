//! Which host a request is for, and which host names the service answers.

use crate::harness::{Archive, Reachable, TOKEN, TestServer, Upload, cobertura};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// The status and the body of the answer to a request head without its last line.
async fn answer(address: &str, head: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!("{head}connection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    (status, answer)
}

fn address(server: &TestServer) -> String {
    server.url("").replace("http://", "")
}

#[tokio::test]
async fn a_request_names_exactly_one_host() {
    let server = TestServer::start().await;
    let address = address(&server);
    for path in [
        "/",
        "/coverages-api",
        "/coverages-api/live",
        "/reports/1/",
        "/nothing",
    ] {
        for head in [
            format!("GET {path} HTTP/1.1\r\n"),
            format!("GET {path} HTTP/1.1\r\nhost: a\r\nhost: b\r\n"),
            format!("GET {path} HTTP/1.1\r\nhost: a\r\nhost: a\r\n"),
            format!("GET {path} HTTP/1.0\r\nhost: a\r\nhost: b\r\n"),
            format!("GET {path} HTTP/1.1\r\nhost: a, b\r\n"),
            format!("GET {path} HTTP/1.1\r\nhost: kim@a\r\n"),
            format!("GET {path} HTTP/1.1\r\nhost: a/b\r\n"),
            format!("GET http://a{path} HTTP/1.1\r\n"),
            format!("GET http://a{path} HTTP/1.1\r\nhost: a\r\nhost: a\r\n"),
        ] {
            let (status, answer) = answer(&address, &head).await;
            assert_eq!(status, 400, "{head}: {answer}");
            assert!(answer.contains("malformed_request"), "{answer}");
            assert!(answer.contains("x-request-id"), "{answer}");
        }
    }
    for head in [
        "GET /coverages-api/live HTTP/1.0\r\n",
        "GET /coverages-api/live HTTP/1.0\r\nhost: a\r\n",
        "GET /coverages-api/live HTTP/1.1\r\nhost: a:80\r\n",
        "GET /coverages-api/live HTTP/1.1\r\nhost: [::1]:3000\r\n",
        "GET /coverages-api/live HTTP/1.1\r\nhost:\r\n",
        "GET http://a/coverages-api/live HTTP/1.1\r\nhost: b\r\n",
    ] {
        assert_eq!(answer(&address, head).await.0, 200, "{head}");
    }
    let metrics = server.get_text("/metrics").await;
    let refused = "http_requests_total{route=\"other\",method=\"GET\",status=\"400\"} 45";
    assert!(metrics.contains(refused), "{metrics}");
}

#[tokio::test]
async fn the_host_in_the_request_target_overrides_the_header() {
    let origin = "http://reports.example.com";
    let arguments = ["--upload-token", TOKEN, "--reports-origin", origin];
    let server = TestServer::start_with(&arguments).await;
    let archive = Archive::report("<p>", &cobertura(1, 2));
    Upload::of(archive.tar_gz()).accepted(&server).await;
    let address = address(&server);
    for (target, host, status) in [
        ("http://reports.example.com/", "coverage.example.com", 404),
        (
            "http://kim@reports.example.com/",
            "coverage.example.com",
            404,
        ),
        ("http://coverage.example.com/", "reports.example.com", 200),
        ("/", "reports.example.com", 404),
        ("/", "coverage.example.com", 200),
    ] {
        let head = format!("GET {target} HTTP/1.1\r\nhost: {host}\r\n");
        assert_eq!(answer(&address, &head).await.0, status, "{head}");
    }
}

#[tokio::test]
async fn only_listed_host_names_are_answered() {
    let server = TestServer::start_with(&[
        "--allowed-hosts",
        "coverage, Coverage.internal",
        "--public-url",
        "https://coverage.example.com",
        "--reports-origin",
        "https://reports.example.com",
    ])
    .await;
    let address = address(&server);
    let status = async |head: String| answer(&address, &head).await;
    for host in [
        "coverage",
        "coverage:3000",
        "COVERAGE.internal",
        "coverage.example.com",
        "coverage.example.com:443",
    ] {
        let (status, _) = status(format!("GET / HTTP/1.1\r\nhost: {host}\r\n")).await;
        assert_eq!(status, 200, "{host}");
    }
    let of_reports = "GET /reports/1/ HTTP/1.1\r\nhost: reports.example.com\r\n";
    assert_eq!(status(of_reports.to_owned()).await.0, 404);
    for head in [
        format!("GET / HTTP/1.1\r\nhost: {address}\r\n"),
        "GET / HTTP/1.1\r\nhost: evil.example\r\n".to_owned(),
        "GET / HTTP/1.1\r\nhost: coverage.evil.example\r\n".to_owned(),
        "GET /reports/1/ HTTP/1.1\r\nhost: evil.example\r\n".to_owned(),
        "POST /coverages-api HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 0\r\n".to_owned(),
        "GET http://evil.example/ HTTP/1.1\r\nhost: coverage\r\n".to_owned(),
        "GET / HTTP/1.1\r\nhost:\r\n".to_owned(),
        "GET / HTTP/1.0\r\n".to_owned(),
        "GET //coverages-api/live HTTP/1.1\r\nhost: evil.example\r\n".to_owned(),
    ] {
        let (status, answer) = status(head.clone()).await;
        assert_eq!(status, 421, "{head}: {answer}");
        assert!(answer.contains("host_not_allowed"), "{answer}");
    }
    // A load balancer uses an address.
    for path in ["health", "live", "ready"] {
        let head = format!("GET /coverages-api/{path} HTTP/1.1\r\nhost: {address}\r\n");
        assert_eq!(status(head).await.0, 200, "{path}");
    }
}
