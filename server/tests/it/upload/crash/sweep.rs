//! Uploads that a crash interrupted between two steps, as a start finds them. Each test makes one step by hand.

use super::{assert_no_orphans, assert_nothing_left, assert_whole, let_time_pass, upload};
use crate::harness::{Reachable, TestServer, files_below, remove_database};
use objects::Reports;
use std::{io::Write, path::Path, time::Duration};

/// Stores a report without a record.
fn stored_report(folder: &Path) -> String {
    let (reports, key) = (
        Reports::in_folder(folder.join("reports"), None).unwrap(),
        Reports::new_key(),
    );
    let mut staged = reports.stage(&key).unwrap();
    staged.begin_entry("index.html").unwrap();
    staged.write_all(b"<p>").unwrap();
    reports.store(staged).unwrap();
    key
}

#[tokio::test]
async fn a_start_removes_a_report_that_has_no_record() {
    let server = TestServer::start().await;
    let record = upload(1).accepted(&server).await["coverage"].clone();
    let store = server.store().await;
    let folder = server.stop().await;
    let key = stored_report(folder.path());
    store.writer().reserve_report(&key).await.unwrap();
    store
        .writer()
        .reserve_report("reserved-but-never-stored")
        .await
        .unwrap();
    store.close().await;
    let_time_pass(folder.path()).await;
    assert_eq!(files_below(folder.path().join("reports")).len(), 2);
    let server = TestServer::start_in(folder, &[]).await;
    assert_whole(&server, &record).await;
    assert_no_orphans(&server, 1);
    assert_nothing_left(&server).await;
}

#[tokio::test]
async fn a_start_removes_only_reports_listed_as_orphaned() {
    let server = TestServer::start().await;
    upload(1).accepted(&server).await;
    let folder = server.stop().await;
    remove_database(folder.path());
    let server = TestServer::start_in(folder, &["--upload-token", "t0ken"]).await;
    assert!(
        server.records().await.is_empty(),
        "the database is another one"
    );
    assert_eq!(
        server.stored_files().len(),
        1,
        "a start with the wrong database removes nothing"
    );
}

#[tokio::test]
async fn an_upload_whose_report_was_swept_is_refused_as_a_whole() {
    let server = TestServer::start().await;
    let store = server.store().await;
    store.writer().reserve_report("swept").await.unwrap();
    let_time_pass(server.folder.path()).await;
    store.writer().mark_unfinished_reports(true).await.unwrap();
    let due = store
        .writer()
        .due_reports(Duration::MAX, "", 10)
        .await
        .unwrap();
    assert_eq!(
        due[0].key, "swept",
        "no grace period for a report that never had a record"
    );
    let published = store
        .writer()
        .publish(&super::record_with_report("swept"))
        .await;
    assert!(published.is_err());
    assert!(server.records().await.is_empty());
}

#[tokio::test]
async fn a_report_stored_after_a_sweep_listed_it_goes_with_the_next_sweep() {
    let server = TestServer::start().await;
    let store = server.store().await;
    store.writer().reserve_report("of-another").await.unwrap();
    store.close().await;
    let folder = server.stop().await;
    let_time_pass(folder.path()).await;
    let server = TestServer::start_in(folder, &[]).await;
    server.get("/coverages-api/health").await;
    let reports = Reports::in_folder(server.folder.path().join("reports"), None).unwrap();
    let staged = reports.stage("of-another").unwrap();
    reports.store(staged).unwrap();
    let folder = server.stop().await;
    let server = TestServer::start_in(folder, &[]).await;
    assert_nothing_left(&server).await;
    assert!(server.stored_files().is_empty());
}

#[tokio::test]
async fn a_start_keeps_files_that_another_process_is_writing() {
    let server = TestServer::start().await;
    let folder = server.stop().await;
    let reports = Reports::in_folder(folder.path().join("reports"), None).unwrap();
    let mut staged = reports.stage(&Reports::new_key()).unwrap();
    staged.begin_entry("index.html").unwrap();
    let server = TestServer::start_in(folder, &[]).await;
    assert!(server.records().await.is_empty());
    assert_eq!(server.stored_files().len(), 1);
    reports.store(staged).unwrap();
}
