//! An outage of the storage.

use super::{LARGE, large_upload, small_upload};
use crate::harness::{ObjectStorage, Reachable, TestServer, noise};

#[tokio::test]
async fn a_storage_outage_stops_only_uploads_and_reports_until_it_ends() {
    let Some(mut storage) = ObjectStorage::start() else {
        return;
    };
    let server = TestServer::start_on(&storage, "").await;
    let before = small_upload("<p>kept").accepted(&server).await;
    storage.stop();
    assert_eq!(server.get("/coverages-api/ready").await.status(), 503);
    let page = server.get("/reports/1/index.html").await;
    assert_eq!(page.status(), 503);
    assert!(page.headers().contains_key("retry-after"));
    for upload in [small_upload("<p>lost"), large_upload()] {
        let (status, problem) = upload.with("commit_hash", "c2").refused(&server).await;
        assert_eq!(
            (status, problem["code"].as_str()),
            (503, Some("unavailable"))
        );
    }
    assert_eq!(server.records().await, [before["coverage"].clone()]);
    storage.start_again();
    assert_eq!(server.get_text("/reports/1/index.html").await, "<p>kept");
    small_upload("<p>accepted")
        .with("commit_hash", "c2")
        .accepted(&server)
        .await;
    assert_eq!(
        server.get_text("/reports/2/index.html").await,
        "<p>accepted"
    );
    server.stop().await;
    assert_eq!(storage.objects().len(), 2);
}

#[tokio::test]
async fn a_download_resumes_after_the_storage_drops_the_connection() {
    let Some(mut storage) = ObjectStorage::start() else {
        return;
    };
    let server = TestServer::start_on(&storage, "").await;
    large_upload().accepted(&server).await;
    let mut download = server.get("/reports/1/large.png").await;
    let mut content = download.chunk().await.unwrap().unwrap().to_vec();
    // Most of it is still in the storage: the service requests no more than the client reads.
    storage.stop();
    storage.start_again();
    while let Some(chunk) = download.chunk().await.unwrap() {
        content.extend_from_slice(&chunk);
    }
    assert_eq!(content.len(), LARGE);
    assert!(content == noise(LARGE));
}
