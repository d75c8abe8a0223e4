//! Many concurrent uploads.

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use std::{collections::HashSet, sync::Arc};

const UPLOADERS: usize = 64;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn racing_uploads_to_one_branch_all_succeed_and_exactly_one_is_current() {
    let server = Arc::new(TestServer::start().await);
    let uploads = (0..UPLOADERS).map(|n| {
        let server = server.clone();
        tokio::spawn(async move {
            let html = format!("<h1>{n}</h1>");
            let upload = Upload::of(Archive::report(&html, &cobertura(n as u32, 100)).tar_gz())
                .with("commit_hash", &format!("c{n}"));
            (
                upload.accepted(&*server).await["coverage"]["id"]
                    .as_i64()
                    .unwrap(),
                html,
            )
        })
    });
    let mut ids = HashSet::new();
    for upload in uploads.collect::<Vec<_>>() {
        let (id, html) = upload.await.unwrap();
        assert_eq!(
            server.get_text(&format!("/reports/{id}/index.html")).await,
            html
        );
        ids.insert(id);
    }
    assert_eq!(ids.len(), UPLOADERS);
    assert_eq!(server.records().await.len(), UPLOADERS);
    let current = server.get_json("/coverages-api").await;
    assert_eq!(
        current["data"]["acme/payments"].as_array().unwrap().len(),
        1
    );
    assert_eq!(server.stored_files().len(), UPLOADERS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn racing_uploads_leave_one_current_record_per_branch_and_language() {
    let server = Arc::new(TestServer::start_without_grace().await);
    let uploads = (0..UPLOADERS).map(|n| {
        let server = server.clone();
        tokio::spawn(async move {
            // Four uploads of each branch and language, two of which have the same commit.
            let upload = Upload::of(Archive::report("<p>", &cobertura(n as u32, 100)).tar_gz())
                .with("repo_name", ["one", "two"][n % 2])
                .with("branch_name", ["main", "feature/x"][n / 2 % 2])
                .with("language", ["rust", "c++", "go", "python"][n / 4 % 4])
                .with("commit_hash", ["a", "b", "c", "c"][n / 16]);
            upload.accepted(&*server).await;
        })
    });
    for upload in uploads.collect::<Vec<_>>() {
        upload.await.unwrap();
    }
    assert_eq!(server.current_records().await.len(), 2 * 2 * 4);
    assert_eq!(server.records().await.len(), 2 * 2 * 4 * 3, "the history");
    assert_eq!(server.stored_files().len(), 2 * 2 * 4 * 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_report_stays_readable_while_retries_replace_it() {
    let server = Arc::new(TestServer::start().await);
    let upload = async |server: &TestServer, n: u32| {
        let archive = Archive::report(&format!("<h1>{n}</h1>"), &cobertura(n, 100)).tar_gz();
        Upload::of(archive).accepted(server).await
    };
    upload(&server, 0).await;
    let reading = tokio::spawn({
        let server = server.clone();
        async move {
            for _ in 0..300 {
                assert!(
                    server
                        .get_text("/reports/1/index.html")
                        .await
                        .starts_with("<h1>")
                );
            }
        }
    });
    for n in 1..=30 {
        upload(&server, n).await;
    }
    reading.await.unwrap();
    assert_eq!(
        server.get_text("/reports/1/index.html").await,
        "<h1>30</h1>"
    );
}
