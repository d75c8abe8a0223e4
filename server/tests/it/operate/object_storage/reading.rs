//! Reports served from a bucket. (`make test-bucket` also runs all tests of reports with a bucket.)

use super::{LARGE, large_upload, small_upload};
use crate::harness::{Archive, ObjectStorage, Reachable, TestServer, Upload, cobertura, noise};
use objects::Reports;
use std::{fs, io::Write};
use store::StoredReport;

#[tokio::test]
async fn a_large_file_is_served_whole_and_in_ranges() {
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let server = TestServer::start_on(&storage, "x").await;
    large_upload().accepted(&server).await;
    let content = noise(LARGE);
    let file = server.get("/reports/1/large.png").await;
    assert!(file.bytes().await.unwrap() == content);
    // Ranges near the header, further on, and at the end.
    for (first, last) in [
        (0, 9),
        (70_000, 300_000),
        (9 << 20, 20 << 20),
        (LARGE - 5, LARGE - 1),
    ] {
        let request = server.client.get(server.url("/reports/1/large.png"));
        let part = request
            .header("range", format!("bytes={first}-{last}"))
            .send()
            .await
            .unwrap();
        assert_eq!(part.status(), 206);
        assert!(
            part.bytes().await.unwrap() == content[first..=last],
            "{first}-{last}"
        );
    }
    let head = server
        .client
        .head(server.url("/reports/1/large.png"))
        .send()
        .await
        .unwrap();
    assert_eq!(head.headers()["content-length"], LARGE.to_string());
    let object = fs::read(&storage.objects()[0]).unwrap();
    let download = server.get("/reports/1.zip").await;
    assert_eq!(
        download.headers()["content-length"],
        object.len().to_string()
    );
    assert!(download.bytes().await.unwrap() == object);
}

#[tokio::test]
async fn a_report_whose_directory_is_fetched_in_pieces_is_complete() {
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let server = TestServer::start_on(&storage, "").await;
    // Each file takes some 120 bytes of directory: together more than a tail and a piece.
    let folder = "a-folder-with-a-rather-long-name/".repeat(2);
    let archive = (0..12_000).fold(
        Archive::report("<p>", &cobertura(1, 2)),
        |archive, number| archive.file(&format!("{folder}{number}.txt"), number.to_string()),
    );
    Upload::of(archive.tar_gz()).accepted(&server).await;
    for number in [0, 1, 5_999, 11_998, 11_999] {
        let path = format!("/reports/1/{folder}{number}.txt");
        assert_eq!(server.get_text(&path).await, number.to_string());
    }
    let missing = server.get(&format!("/reports/1/{folder}12000.txt")).await;
    assert_eq!(missing.status(), 404);
    let listing = server.get_text(&format!("/reports/1/{folder}")).await;
    assert!(
        listing.contains("10000.txt") && listing.contains("more files than this page can list")
    );
}

#[tokio::test]
async fn a_report_replaced_by_another_instance_is_no_longer_served() {
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let server = TestServer::start_on(&storage, "shared").await;
    small_upload("<p>old").accepted(&server).await;
    // Opens the report. Its style sheet is not read yet.
    let old = server.get("/reports/1/").await;
    let old = old.url().path().replace("index.html", "coverage.xml");
    let place = storage
        .url("shared")
        .strip_prefix("s3://")
        .unwrap()
        .parse()
        .unwrap();
    let reports = Reports::in_bucket(&place, &storage.aws(), None)
        .await
        .unwrap();
    let stored = tokio::task::spawn_blocking({
        let reports = reports.clone();
        move || {
            let key = Reports::new_key();
            let mut staged = reports.stage(&key).unwrap();
            staged.begin_entry("coverage.xml").unwrap();
            staged.write_all(b"new").unwrap();
            reports.store(staged).unwrap();
            key
        }
    });
    let key = stored.await.unwrap();
    let store = server.store().await;
    store.writer().reserve_report(&key).await.unwrap();
    let mut record = crate::upload::crash::record_with_report(&key);
    record.report = Some(StoredReport {
        key,
        start_page: None,
        bytes: 0,
    });
    let replaced = store
        .writer()
        .publish(&record)
        .await
        .unwrap()
        .replaced_reports
        .remove(0);
    tokio::task::spawn_blocking(move || reports.remove(&replaced))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(server.get_text(&old).await, "new", "{old}");
}

#[tokio::test]
async fn a_report_copied_from_a_folder_is_served_from_a_bucket() {
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let on_disk = TestServer::start_at(
        tempfile::TempDir::new().unwrap(),
        None,
        &["--upload-token", crate::harness::TOKEN],
    )
    .await;
    small_upload("<p>moved").accepted(&on_disk).await;
    let folder = on_disk.stop().await;
    for file in crate::harness::files_below(folder.path().join("reports")) {
        let below = file.strip_prefix(folder.path().join("reports")).unwrap();
        let object = storage.root().join("moved").join(below);
        fs::create_dir_all(object.parent().unwrap()).unwrap();
        fs::copy(&file, object).unwrap();
    }
    let server = TestServer::start_at(folder, Some((&storage, "moved")), &[]).await;
    assert_eq!(server.get_text("/reports/1/index.html").await, "<p>moved");
}
