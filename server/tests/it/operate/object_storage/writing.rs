//! The content of the bucket after uploads.

use super::{LARGE, large_upload, report, small_upload};
use crate::harness::{NO_GRACE, ObjectStorage, Reachable, TOKEN, TestServer, Upload, noise};
use std::{fs::File, io::Read};
use zip::ZipArchive;

#[tokio::test]
async fn a_multipart_upload_becomes_one_object_and_nothing_else() {
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let server = TestServer::start_on(&storage, "acme/coverage").await;
    large_upload().accepted(&server).await;
    let objects = storage.objects();
    assert_eq!(objects.len(), 1, "{objects:?}");
    assert!(objects[0].to_string_lossy().contains("/acme/coverage/"));
    storage.assert_no_parts().await;
    // Another zip library can read it.
    let mut zip = ZipArchive::new(File::open(&objects[0]).unwrap()).unwrap();
    let mut content = Vec::new();
    let mut entry = zip.by_name("large.png").unwrap();
    entry.read_to_end(&mut content).unwrap();
    assert!(content == noise(LARGE));
}

#[tokio::test]
async fn a_retry_of_a_commit_removes_the_object_it_replaces() {
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let arguments = [&["--upload-token", TOKEN], &NO_GRACE[..]].concat();
    let folder = tempfile::TempDir::new().unwrap();
    let server = TestServer::start_at(folder, Some((&storage, "")), &arguments).await;
    small_upload("<p>first").accepted(&server).await;
    let first = storage.objects();
    let answer = small_upload("<p>second").accepted(&server).await;
    let second = storage.objects();
    assert_eq!((first.len(), second.len()), (1, 1));
    assert_ne!(first, second, "a retry has a key of its own");
    let page = format!("/reports/{}/index.html", answer["coverage"]["id"]);
    assert_eq!(server.get_text(&page).await, "<p>second");
}

#[tokio::test]
async fn an_upload_that_is_refused_leaves_no_object_and_no_parts() {
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let server = TestServer::start_on(&storage, "").await;
    // Parts are in the bucket before the archive turns out to be truncated or to lack the coverage file.
    let mut cut_off = large_upload().body();
    cut_off.truncate(cut_off.len() - 1_024);
    let without_report = large_upload().with("coverage_xml_file_name", "other.xml");
    for (upload, code) in [
        (Upload::of(cut_off), "corrupt_archive"),
        (without_report, "coverage_file_not_found"),
    ] {
        let (_, problem) = upload.refused(&server).await;
        assert_eq!(problem["code"], code);
    }
    // An upload without pages has no report to open.
    let without_pages = super::Archive::new()
        .file("coverage.xml", super::cobertura(1, 2))
        .file("large.png", noise(LARGE));
    Upload::of(without_pages.tar()).accepted(&server).await;
    server.stop().await;
    assert_eq!(
        storage.parts(),
        [] as [std::path::PathBuf; 0],
        "a stop waits for them to be gone"
    );
    assert!(storage.objects().is_empty());
}

#[tokio::test]
async fn two_services_share_a_bucket_under_their_own_prefixes() {
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let one = TestServer::start_on(&storage, "one").await;
    let two = TestServer::start_on(&storage, "one/two/").await;
    small_upload("<p>of one").accepted(&one).await;
    small_upload("<p>of two").accepted(&two).await;
    assert_eq!(one.get_text("/reports/1/index.html").await, "<p>of one");
    assert_eq!(two.get_text("/reports/1/index.html").await, "<p>of two");
    let stored = storage.objects();
    let of_two = stored
        .iter()
        .filter(|path| path.to_string_lossy().contains("/one/two/"));
    assert_eq!((stored.len(), of_two.count()), (2, 1), "{stored:?}");
}

#[tokio::test]
async fn client_names_never_become_object_keys() {
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let server = TestServer::start_on(&storage, "").await;
    let archive = report("<p>", b"").file("a-file-of-the-client.html", "<p>");
    Upload::of(archive.tar_gz())
        .with("org_name", "an-org-of-the-client")
        .with("branch_name", "../../a-branch-of-the-client")
        .with("commit_hash", "a-commit-of-the-client")
        .accepted(&server)
        .await;
    for object in storage.objects() {
        let key = object.display().to_string();
        assert!(!key.contains("of-the-client"), "{key}");
    }
}

#[tokio::test]
async fn an_aborted_upload_leaves_nothing_in_the_bucket() {
    let Some(storage) = ObjectStorage::start() else {
        return;
    };
    let server = TestServer::start_on(&storage, "").await;
    let mut body = large_upload().body();
    body.truncate(body.len() / 2);
    let upload = Upload::of(body);
    upload.refused(&server).await;
    storage.assert_no_parts().await;
    assert!(storage.objects().is_empty());
}
