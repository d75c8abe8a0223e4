//! The number of requests to the storage. Each costs time and money.

use super::small_upload;
use crate::harness::{Archive, ObjectStorage, Reachable, TestServer, Upload, cobertura, noise};
use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// Forwards bytes to the storage and counts the requests.
async fn counting(storage: SocketAddr) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = requests.clone();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let server = TcpStream::connect(storage).await.unwrap();
            let ((mut from_client, mut to_client), (mut from_server, mut to_server)) =
                (client.into_split(), server.into_split());
            let counted = counted.clone();
            tokio::spawn(async move {
                let mut bytes = vec![0; 64 << 10];
                while let Ok(length @ 1..) = from_client.read(&mut bytes).await {
                    // Reading requests have no body, so each chunk that starts with a method is a request.
                    if [&b"GET /"[..], b"HEAD /"]
                        .iter()
                        .any(|method| bytes.starts_with(method))
                    {
                        counted.fetch_add(1, Ordering::Relaxed);
                    }
                    to_server.write_all(&bytes[..length]).await.ok();
                }
            });
            tokio::spawn(async move { tokio::io::copy(&mut from_server, &mut to_client).await });
        }
    });
    (address, requests)
}

#[tokio::test]
async fn opening_a_report_takes_two_requests_and_each_file_one() {
    let Some(mut storage) = ObjectStorage::start() else {
        return;
    };
    let on_disk = noise(300_000);
    let archive = Archive::report("<!doctype html><p>", &cobertura(1, 2))
        .file("style.css", "b{}".repeat(20_000))
        .file("large.png", &on_disk);
    let first = TestServer::start_on(&storage, "").await;
    Upload::of(archive.tar_gz()).accepted(&first).await;
    let folder = first.stop().await;
    let (address, requests) = counting(storage.address()).await;
    storage.set_address(address);
    let server = TestServer::start_at(folder, Some((&storage, "")), &[]).await;
    server.get("/coverages-api/health").await;
    let requests_for = async |path: &str, accept: &str| {
        let before = requests.load(Ordering::Relaxed);
        let request = server.client.get(server.url(path)).header("accept", accept);
        request.send().await.unwrap().bytes().await.unwrap();
        requests.load(Ordering::Relaxed) - before
    };
    let page = "text/html,application/xhtml+xml,*/*;q=0.8";
    assert_eq!(
        requests_for("/reports/1/index.html", page).await,
        3,
        "requests for the size, the directory and a page"
    );
    assert_eq!(
        requests_for("/reports/1/index.html", page).await,
        0,
        "the report is open"
    );
    for path in ["style.css", "large.png", "large.png"] {
        assert_eq!(
            requests_for(&format!("/reports/1/{path}"), "*/*").await,
            1,
            "{path}"
        );
    }
    for path in ["missing.html", "missing/"] {
        assert_eq!(
            requests_for(&format!("/reports/1/{path}"), "*/*").await,
            0,
            "{path}"
        );
    }
    assert_eq!(requests_for("/reports/1.zip", "*/*").await, 1);
    let head = server.client.head(server.url("/reports/1/large.png"));
    let before = requests.load(Ordering::Relaxed);
    assert_eq!(head.send().await.unwrap().status(), 200);
    assert_eq!(
        requests.load(Ordering::Relaxed),
        before,
        "the directory says all that HEAD needs"
    );
}

#[tokio::test]
async fn concurrent_readers_open_the_same_report_once() {
    let Some(mut storage) = ObjectStorage::start() else {
        return;
    };
    let first = TestServer::start_on(&storage, "").await;
    small_upload("<p>").accepted(&first).await;
    let folder: TempDir = first.stop().await;
    let (address, requests) = counting(storage.address()).await;
    storage.set_address(address);
    let server = TestServer::start_at(folder, Some((&storage, "")), &[]).await;
    server.get("/coverages-api/health").await;
    let before = requests.load(Ordering::Relaxed);
    let heads = (0..16).map(|_| {
        server
            .client
            .head(server.url("/reports/1/coverage.xml"))
            .send()
    });
    for head in futures::future::join_all(heads).await {
        assert_eq!(head.unwrap().status(), 200);
    }
    assert_eq!(requests.load(Ordering::Relaxed) - before, 2);
}
