//! Entries of zip archives.

use super::{accepted, corrupt, too_large, unsafe_entry, zip};
use crate::harness::{Reachable, Zip, ZipEntry, cobertura};

#[tokio::test]
async fn stored_and_deflated_entries_are_accepted() {
    let archive = zip()
        .entry(ZipEntry::stored("a/stored.css", "x"))
        .entry(ZipEntry::deflated("a/deflated.css", "y"))
        .entry(ZipEntry::stored("empty.css", ""))
        .bytes();
    accepted(
        archive,
        &[
            ("a/stored.css", "x"),
            ("a/deflated.css", "y"),
            ("empty.css", ""),
        ],
    )
    .await;
}

#[tokio::test]
async fn entries_with_data_descriptors_are_accepted() {
    let archive = zip().entry(ZipEntry::deflated("a.css", "x").described_later());
    accepted(archive.bytes(), &[("a.css", "x")]).await;
}

#[tokio::test]
async fn zip64_is_accepted() {
    let mut entry = ZipEntry::deflated("a.css", "x");
    entry.is_zip64 = true;
    accepted(zip().entry(entry).bytes(), &[("a.css", "x")]).await;
}

#[tokio::test]
async fn a_zip_comment_is_skipped() {
    accepted(zip().claiming(2, b"a comment"), &[]).await;
}

#[tokio::test]
async fn folders_of_a_zip_are_skipped() {
    let folder = ZipEntry::stored("a/", "").with_attributes(0o040_755 << 16);
    let on_windows = ZipEntry::stored("b", "").with_attributes(0x10).of_host(0);
    let archive = zip().entry(folder).entry(on_windows).file("b/a.css", "x");
    accepted(archive.bytes(), &[("b/a.css", "x")]).await;
}

#[tokio::test]
async fn backslashes_of_windows_are_read_as_slashes() {
    for host in [0, 10, 11, 14] {
        let entry = ZipEntry::deflated("a\\b.css", "x").of_host(host);
        accepted(zip().entry(entry).bytes(), &[("a/b.css", "x")]).await;
    }
    let entry = ZipEntry::deflated("a\\..\\..\\b.css", "x").of_host(0);
    unsafe_entry(zip().entry(entry).bytes(), "leads out of the archive").await;
    for (name, host) in [("a\\b.css", 3), ("a/b\\c.css", 0)] {
        let entry = ZipEntry::deflated(name, "x").of_host(host);
        unsafe_entry(zip().entry(entry).bytes(), "backslash").await;
    }
}

#[tokio::test]
async fn the_same_path_rules_apply_in_a_zip() {
    for (name, in_detail) in [
        ("../evil.html", "leads out of the archive"),
        ("/etc/passwd", "absolute path"),
        ("C:x.html", "absolute path"),
        ("a\0b.html", "control character"),
        ("", "has no name"),
        ("index.html", "occurs twice"),
        ("index.html/x", "as a file and as a folder"),
    ] {
        unsafe_entry(zip().file(name, "").bytes(), in_detail).await;
    }
    too_large(
        zip().file(&"x".repeat(1_025), "").bytes(),
        &[],
        "bytes for a path",
    )
    .await;
}

#[tokio::test]
async fn a_name_in_a_zip_that_is_not_utf8_is_refused() {
    let mut entry = ZipEntry::stored("", "");
    entry.name = b"\x81.html".to_vec();
    entry.local_name = entry.name.clone();
    unsafe_entry(zip().entry(entry).bytes(), "not UTF-8").await;
}

#[tokio::test]
async fn a_symlink_in_a_zip_is_refused() {
    let link = ZipEntry::stored("link", "/etc/passwd").with_attributes(0o120_777 << 16);
    unsafe_entry(zip().entry(link.clone()).bytes(), "is a link").await;
    unsafe_entry(zip().entry(link.of_host(0)).bytes(), "is a link").await;
}

#[tokio::test]
async fn a_device_in_a_zip_is_refused() {
    for kind in [0o020_000, 0o060_000, 0o010_000, 0o140_000] {
        let device = ZipEntry::stored("device", "").with_attributes(kind << 16);
        unsafe_entry(zip().entry(device).bytes(), "neither a file nor a folder").await;
    }
}

#[tokio::test]
async fn a_folder_of_a_zip_with_content_is_refused() {
    unsafe_entry(zip().file("a/", "content").bytes(), "folder with content").await;
}

#[tokio::test]
async fn an_encrypted_entry_is_refused() {
    let mut entry = ZipEntry::stored("secret.css", "x");
    entry.flags = 1;
    unsafe_entry(zip().entry(entry).bytes(), "encrypted").await;
}

#[tokio::test]
async fn a_compression_method_other_than_deflate_is_refused() {
    for method in [1, 9, 12, 14, 93, 95, 99] {
        let entry = ZipEntry::stored("a.css", "x").of_method(method);
        unsafe_entry(zip().entry(entry).bytes(), "not compressed with deflate").await;
    }
}

#[tokio::test]
async fn an_entry_that_contradicts_the_directory_is_refused() {
    let valid = ZipEntry::stored("a.css", "x");
    let mut named = valid.clone();
    named.local_name = b"b.css".to_vec();
    let mut compressed = valid.clone();
    compressed.local_method = 8;
    // The Info-ZIP field with a Unicode name.
    let mut named_again = valid.clone();
    named_again.extra = b"up\x0a\0\x01\0\0\0\0b.css".to_vec();
    for entry in [named, compressed, named_again] {
        unsafe_entry(
            zip().entry(entry).bytes(),
            "differs from the zip's directory",
        )
        .await;
    }
}

#[tokio::test]
async fn entries_that_share_bytes_are_refused() {
    let mut again = ZipEntry::deflated("again.css", "<p>page");
    again.offset = Some(0);
    again.local_name = b"index.html".to_vec();
    unsafe_entry(zip().entry(again).bytes(), "shares its bytes").await;
}

#[tokio::test]
async fn content_with_another_size_or_checksum_is_refused() {
    let valid = ZipEntry::deflated("a.css", "content");
    let mut checksum = valid.clone();
    checksum.crc32 ^= 1;
    let mut shorter = valid.clone();
    shorter.size -= 1;
    let mut longer = valid.clone();
    longer.size += 1;
    let mut cut = valid.clone();
    cut.stored.truncate(3);
    for entry in [checksum, shorter, longer, cut] {
        corrupt(zip().entry(entry).bytes(), "cut off or damaged").await;
    }
}

#[tokio::test]
async fn a_file_over_the_limit_in_a_zip_is_refused() {
    let large = || zip().file("large.css", "x".repeat(5_000)).bytes();
    too_large(large(), &["max_file_bytes", "4999"], "bytes for one file").await;
    too_large(
        large(),
        &["--max-unpacked-bytes", "5000"],
        "MAX_UNPACKED_BYTES",
    )
    .await;
}

#[tokio::test]
async fn zeros_after_a_zip_are_skipped() {
    let padded = [zip().bytes(), vec![0; 10_240]].concat();
    accepted(padded, &[]).await;
    let endless = [zip().bytes(), vec![0; 70_000]].concat();
    corrupt(endless, "").await;
}

#[tokio::test]
async fn data_after_a_zip_is_refused() {
    let archive = [zip().bytes(), b"garbage".to_vec()].concat();
    corrupt(archive, "after the end").await;
}

#[tokio::test]
async fn an_incomplete_zip_directory_is_refused() {
    corrupt(zip().claiming(1, b""), "incomplete").await;
    corrupt(zip().claiming(3, b""), "incomplete").await;
    let mut beyond = ZipEntry::stored("a.css", "x");
    beyond.offset = Some(1 << 20);
    corrupt(zip().entry(beyond).bytes(), "cut off or damaged").await;
}

#[tokio::test]
async fn an_empty_zip_has_no_coverage_file() {
    let upload = crate::harness::Upload::of(Zip::new().bytes());
    super::assert_refused(
        upload,
        (422, "coverage_file_not_found"),
        "does not contain coverage.xml",
    )
    .await;
}

#[tokio::test]
async fn a_nested_zip_is_stored_as_an_ordinary_file() {
    let inner = Zip::new().entry(ZipEntry::stored("../evil", "x")).bytes();
    let server = crate::harness::TestServer::start().await;
    let archive = Zip::report("<p>page", &cobertura(1, 2)).file("inner.zip", &inner);
    let answer = crate::harness::Upload::of(archive.bytes())
        .accepted(&server)
        .await;
    let url = format!("/reports/{}/inner.zip", answer["coverage"]["id"]);
    assert_eq!(server.get(&url).await.bytes().await.unwrap(), inner);
}
