//! A storage that goes away for a while.

use super::{large_upload, small_upload};
use crate::harness::{ObjectStorage, Reachable, TestServer};

#[tokio::test]
async fn while_the_storage_is_gone_everything_else_works_and_afterwards_all_does() {
    let Some(mut storage) = ObjectStorage::start() else {
        return;
    };
    let server = TestServer::start_on(&storage, "").await;
    let before = small_upload("<p>kept").accepted(&server).await;
    storage.stop();
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
    small_upload("<p>taken")
        .with("commit_hash", "c2")
        .accepted(&server)
        .await;
    assert_eq!(server.get_text("/reports/2/index.html").await, "<p>taken");
    server.stop().await;
    assert_eq!(storage.objects().len(), 2);
}
