//! `kill -9` while a report is being sent to the bucket.

use super::{LARGE, large_upload, small_upload};
use crate::{
    harness::{ObjectStorage, Reachable, ServerProcess, TestServer},
    upload::crash::let_time_pass,
};
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::sleep;

#[tokio::test(flavor = "multi_thread")]
async fn a_service_killed_mid_upload_leaves_no_partial_object_in_the_bucket() {
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let url = storage.url("x");
    let start =
        || ServerProcess::start_by(storage.command(), folder.path(), &["--reports-url", &url]);
    let server = start();
    let kept = small_upload("<p>kept").accepted(&server).await;
    let (client, base) = (server.client().clone(), server.url(""));
    let upload = large_upload().with("commit_hash", "c2");
    let sending = tokio::spawn(async move { upload.try_send(&client, &base).await });
    // The first part exists, so the upload is half done.
    while storage.parts().is_empty() && !sending.is_finished() {
        sleep(Duration::from_millis(1)).await;
    }
    server.kill();
    let was_accepted = sending
        .await
        .unwrap()
        .is_ok_and(|answer| answer.status().is_success());
    let_time_pass(folder.path()).await;
    let server = start();
    let records = server.records().await;
    assert!(records.contains(&kept["coverage"]));
    assert_eq!(server.get_text("/reports/1/index.html").await, "<p>kept");
    match records.len() {
        1 => assert!(!was_accepted, "an acknowledged upload is lost"),
        _ => {
            let large = server
                .get("/reports/2/large.png")
                .await
                .bytes()
                .await
                .unwrap();
            assert_eq!(large.len(), LARGE);
        }
    }
    assert_eq!(
        storage.objects().len(),
        records.len(),
        "each record's report and nothing else"
    );
    server.kill();
}

#[tokio::test]
async fn a_start_removes_an_object_that_has_no_record() {
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let server = TestServer::start_on(&storage, "x").await;
    small_upload("<p>kept").accepted(&server).await;
    let store = server.store().await;
    let folder = server.stop().await;
    let kept = storage.objects();
    let key = "00112233445566778899aabbccddeeff";
    let orphan = storage.root().join(format!("x/00/{key}.zip"));
    std::fs::create_dir_all(orphan.parent().unwrap()).unwrap();
    std::fs::copy(&kept[0], &orphan).unwrap();
    for key in [key, "reserved-but-never-stored"] {
        store.writer().reserve_report(key).await.unwrap();
    }
    store.close().await;
    let_time_pass(folder.path()).await;
    let server = TestServer::start_at(folder, Some((&storage, "x")), &[]).await;
    assert_eq!(server.get_text("/reports/1/index.html").await, "<p>kept");
    assert_eq!(storage.objects(), kept);
}
