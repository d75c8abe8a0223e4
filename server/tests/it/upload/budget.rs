//! Limits on concurrent connections, requests and heavy reads of clients.

mod heavy;
mod lines;

use crate::{
    harness::{Archive, Reachable, TOKEN, TestServer, Upload, cobertura, noise, within_deadline},
    upload::bad_input::QUERY,
};
use reqwest::{Client, Response};
use std::{net::SocketAddr, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::{sleep, timeout},
};

const HEALTH: [&str; 3] = [
    "/coverages-api/live",
    "/coverages-api/ready",
    "/coverages-api/health",
];

async fn start(arguments: &[&str]) -> TestServer {
    let token = ["--upload-token", TOKEN];
    TestServer::start_with(&[&token, arguments].concat()).await
}

/// A connection from an address of the loopback network.
async fn connect_from(server: &TestServer, from: &str) -> TcpStream {
    let address: SocketAddr = server.url("").replace("http://", "").parse().unwrap();
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
    socket.connect(address).await.unwrap()
}

async fn half_a_head(server: &TestServer, from: &str) -> TcpStream {
    let mut stream = connect_from(server, from).await;
    stream
        .write_all(b"GET / HTTP/1.1\r\nhost: x\r\n")
        .await
        .unwrap();
    stream
}

/// Sends a request on its own connection.
async fn get_from(server: &TestServer, from: &str, path: &str) -> Response {
    let client = Client::builder().local_address(Some(from.parse().unwrap()));
    let client = client.pool_max_idle_per_host(0).build().unwrap();
    let request = client.get(server.url(path)).send();
    let response = timeout(Duration::from_secs(30), request).await;
    response.expect("an answer in time").unwrap()
}

fn assert_come_again(response: &Response) {
    assert_eq!(response.status(), 503);
    let seconds = response.headers()["retry-after"].to_str().unwrap();
    assert!(seconds.parse::<u32>().unwrap() > 0, "{seconds}");
}

#[tokio::test]
async fn half_sent_request_heads_do_not_block_other_clients() {
    let server = start(&["--max-connections", "16"]).await;
    let mut held = Vec::new();
    for _ in 0..100 {
        held.push(half_a_head(&server, "127.0.0.2").await);
    }
    for path in HEALTH.iter().chain(&["/coverages-api", "/"]) {
        let response = get_from(&server, "127.0.0.3", path).await;
        assert_eq!(response.status(), 200, "{path}");
    }
    // The address may have a quarter of the connections and of the reserve.
    let mut closed = 0;
    for stream in &mut held {
        let mut byte = [0];
        let read = timeout(Duration::from_millis(1), stream.read(&mut byte)).await;
        closed += usize::from(read.is_ok());
    }
    assert!(closed >= 100 - 4 - 4, "{closed}");
}

#[tokio::test]
async fn health_is_answered_while_all_other_connections_are_in_use() {
    let arguments = ["--max-connections", "4", "--connections-per-address", "1"];
    let server = start(&[&arguments[..], &["reserved_connections", "8"]].concat()).await;
    let mut held = Vec::new();
    for from in ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"] {
        held.push(half_a_head(&server, from).await);
    }
    // One address cannot fill the reserve either.
    for _ in 0..20 {
        held.push(half_a_head(&server, "127.0.0.2").await);
    }
    for path in HEALTH {
        let response = get_from(&server, "127.0.0.6", path).await;
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.headers()["connection"], "close");
    }
    for path in ["/", "/coverages-api", "/coverages-api/badge", "/nothing"] {
        let response = get_from(&server, "127.0.0.6", path).await;
        assert_come_again(&response);
        assert_eq!(response.headers()["connection"], "close");
        let problem = response.text().await.unwrap();
        assert!(problem.contains("MAX_CONNECTIONS"), "{problem}");
    }
    drop(held);
    while get_from(&server, "127.0.0.6", "/").await.status() != 200 {
        sleep(Duration::from_millis(10)).await;
    }
}

/// An upload of a client behind a proxy whose archive does not continue.
async fn begin_forwarded(server: &TestServer, client: &str) -> TcpStream {
    let mut stream = connect_from(server, "127.0.0.1").await;
    let head = format!(
        "POST /coverages-api?{QUERY} HTTP/1.1\r\nhost: x\r\nauthorization: {TOKEN}\r\nx-forwarded-for: {client}\r\n\
         content-type: multipart/form-data; boundary=x\r\ncontent-length: 1000000\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

async fn forwarded(server: &TestServer, client: &str, path: &str) -> Response {
    let request = server.client.get(server.url(path));
    let request = request.header("x-forwarded-for", client);
    request.send().await.unwrap()
}

#[tokio::test]
async fn each_client_behind_a_trusted_proxy_has_its_own_limit() {
    let limits = ["--connections-per-address", "1"];
    let proxy = ["--trusted-proxies", "127.0.0.1"];
    let server = start(&[&limits[..], &proxy].concat()).await;
    let under_way = begin_forwarded(&server, "1.2.3.4").await;
    let refused = within_deadline(async {
        loop {
            let response = forwarded(&server, "1.2.3.4", "/coverages-api").await;
            if response.status() != 200 {
                break response;
            }
            sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
    assert_come_again(&refused);
    let problem = refused.text().await.unwrap();
    assert!(problem.contains("CONNECTIONS_PER_ADDRESS"), "{problem}");
    // The proxy has several connections, on which its other clients are answered.
    for path in ["/coverages-api", "/"] {
        let other = forwarded(&server, "1.2.3.5", path).await;
        assert_eq!(other.status(), 200, "{path}");
    }
    for path in HEALTH {
        assert_eq!(forwarded(&server, "1.2.3.4", path).await.status(), 200);
    }
    drop(under_way);
    while forwarded(&server, "1.2.3.4", "/").await.status() != 200 {
        sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_client_that_reads_too_slowly_is_disconnected() {
    let pace = ["min_read_bytes_per_second", "1000000000"];
    let server = start(&[&pace[..], &["response_stall_seconds", "1"]].concat()).await;
    let size = 40_000_000;
    let archive = Archive::report("<p>", &cobertura(1, 2)).file("noise.png", noise(size));
    let answer = Upload::of(archive.tar()).accepted(&server).await;
    let path = format!("/reports/{}.zip", answer["coverage"]["id"]);
    let mut stream = connect_from(&server, "127.0.0.1").await;
    let get = format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n");
    stream.write_all(get.as_bytes()).await.unwrap();
    // The transfer takes some megabytes per second, in steps that each make progress.
    let (mut read, mut buffer) = (0, vec![0; 200_000]);
    while let Ok(bytes @ 1..) = stream.read(&mut buffer).await {
        read += bytes;
        if read >= size {
            break;
        }
        sleep(Duration::from_millis(50)).await;
    }
    assert!(read < size, "all of it was sent");
}
