//! Archives, and the reports in them.

use super::{assert_refused, good, refused};
use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use tar::EntryType;

#[tokio::test]
async fn what_is_no_archive_is_415() {
    for (body, what) in [
        (b"".to_vec(), "empty"),
        (b"<html>502 Bad Gateway</html>".to_vec(), "no archive"),
        (vec![b'x'; 4_096], "no archive"),
        (crate::harness::gzip(b"only text"), "no tar archive"),
        (b"PK\x03\x04rest".to_vec(), "zip"),
        (b"BZh9rest".to_vec(), "bzip2"),
        (b"\xfd7zXZ\0rest".to_vec(), "xz"),
        (b"\x28\xb5\x2f\xfdrest".to_vec(), "zstd"),
    ] {
        assert_refused(Upload::of(body), (415, "unsupported_media_type"), what).await;
    }
}

#[tokio::test]
async fn an_archive_without_the_named_report_lists_those_it_has() {
    let archive = Archive::new()
        .file("a/cobertura.xml", cobertura(1, 2))
        .file("index.html", "")
        .tar_gz();
    assert_refused(
        Upload::of(archive),
        (422, "coverage_file_not_found"),
        "a/cobertura.xml",
    )
    .await;
    assert_refused(
        Upload::of(Archive::new().tar()),
        (422, "coverage_file_not_found"),
        "nor anything else that looks like a coverage report",
    )
    .await;
}

#[tokio::test]
async fn a_report_that_cannot_be_read_says_where_and_what_was_expected() {
    for (xml, in_detail) in [
        ("", "coverage.xml"),
        ("no xml", "coverage.xml"),
        (
            "<coverage line-rate=\"0.5\" lines-valid=\"2\" lines-covered=\"1\"><packages>",
            "line 1",
        ),
        ("<testsuites></testsuites>", "testsuites"),
    ] {
        let archive = Archive::report("", xml).tar_gz();
        assert_refused(
            Upload::of(archive),
            (422, "unreadable_coverage_report"),
            in_detail,
        )
        .await;
    }
}

#[tokio::test]
async fn an_archive_cut_off_anywhere_is_refused_and_leaves_nothing() {
    let server = TestServer::start().await;
    let html = "<p>a page that is long enough to be cut in its middle</p>".repeat(40);
    let tar = Archive::new()
        .file("coverage.xml", cobertura(1, 2))
        .file("index.html", &html)
        .tar();
    let tar_gz = crate::harness::gzip(&tar);
    // Two blocks of zeros end a tar archive; without the second it is still whole.
    let in_tar = (1..tar.len() - 1_023)
        .step_by(97)
        .map(|end| tar[..end].to_vec());
    let in_tar_gz = (1..tar_gz.len())
        .step_by(7)
        .map(|end| tar_gz[..end].to_vec());
    for body in in_tar.chain(in_tar_gz) {
        let length = body.len();
        let status = Upload::of(body).send(&server).await.status().as_u16();
        assert!(
            matches!(status, 415 | 422),
            "{status} for the first {length} bytes"
        );
    }
    assert!(server.records().await.is_empty());
    assert!(
        server.stored_files().is_empty(),
        "{:?}",
        server.stored_files()
    );
}

#[tokio::test]
async fn a_damaged_gzip_stream_is_422() {
    let mut body = good();
    let at = body.len() - 6;
    body[at] ^= 0xff;
    assert_refused(Upload::of(body), (422, "corrupt_archive"), "damaged").await;
}

#[tokio::test]
async fn entries_that_no_honest_report_holds_are_422() {
    let long = [b'x'; 90];
    for (kind, path) in [
        (EntryType::Regular, &b"../evil.html"[..]),
        (EntryType::Regular, b"/etc/passwd"),
        (EntryType::Regular, b"a\\b.html"),
        (EntryType::Regular, b"C:/x.html"),
        (EntryType::Regular, b"\xff.html"),
        (EntryType::Symlink, b"link"),
        (EntryType::Link, b"link"),
        (EntryType::Fifo, b"fifo"),
        (EntryType::Char, b"device"),
        (EntryType::Regular, b"index.html"),
        (EntryType::Regular, &long),
    ] {
        let archive = Archive::report("", &cobertura(1, 2))
            .entry(kind, path, b"")
            .tar_gz();
        let expected = if path == long {
            (413, "archive_too_large")
        } else {
            (422, "unsafe_archive_entry")
        };
        let (status, code, problem) =
            refused(Upload::of(archive), &["--max-path-bytes", "80"]).await;
        assert_eq!((status, code.as_str()), expected, "{problem}");
    }
}

#[tokio::test]
async fn each_limit_has_its_own_sentence() {
    let archive = Archive::report(&"<p>".repeat(3_000), &cobertura(1, 2)).tar_gz();
    for (limit, code, name) in [
        (
            ["--max-unpacked-bytes", "5000"],
            "archive_too_large",
            "MAX_UNPACKED_BYTES",
        ),
        (
            ["--max-file-bytes", "5000"],
            "archive_too_large",
            "MAX_FILE_BYTES",
        ),
        (["--max-entries", "2"], "archive_too_large", "MAX_ENTRIES"),
    ] {
        let archive = if name == "MAX_ENTRIES" {
            Archive::report("", "").file("more.css", "").tar()
        } else {
            archive.clone()
        };
        let (status, got, problem) = refused(Upload::of(archive), &limit).await;
        assert_eq!((status, got.as_str()), (413, code), "{problem}");
        assert!(
            problem["detail"].as_str().unwrap().contains(name),
            "{problem}"
        );
    }
    let noise: Vec<u8> = (0..200_000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let large = Archive::new().file("noise.bin", noise).tar();
    let (status, code, _) = refused(Upload::of(large), &["--max-upload-bytes", "100000"]).await;
    assert_eq!((status, code.as_str()), (413, "upload_too_large"));
}

#[tokio::test]
async fn each_limit_of_the_report_itself_has_its_own_sentence() {
    let files: String = (0..100)
        .map(|n| {
            format!("<class filename='{n}'><lines><line number='1' hits='1'/></lines></class>")
        })
        .collect();
    let nested = format!("{}{}", "<p>".repeat(20), "</p>".repeat(20));
    let long = "long".repeat(100);
    let xml = format!("<coverage><sources/>{nested}{files}<p name='{long}'/></coverage>");
    let archive = Archive::report("", &xml).tar_gz();
    for (limit, value, name) in [
        ("--max-report-depth", "16", "MAX_REPORT_DEPTH"),
        ("--max-report-token-bytes", "300", "MAX_REPORT_TOKEN_BYTES"),
        (
            "--max-report-memory-bytes",
            "9999",
            "MAX_REPORT_MEMORY_BYTES",
        ),
    ] {
        let (status, code, problem) = refused(Upload::of(archive.clone()), &[limit, value]).await;
        assert_eq!((status, code.as_str()), (422, "unreadable_coverage_report"));
        assert!(
            problem["detail"].as_str().unwrap().contains(name),
            "{problem}"
        );
    }
    Upload::of(archive)
        .accepted(&TestServer::start().await)
        .await;
}

#[tokio::test]
async fn headers_of_an_entry_are_bounded_before_they_are_read() {
    let long_name = vec![b'x'; 3_000_000];
    let archive = Archive::report("", &cobertura(1, 2)).entry(
        EntryType::GNULongName,
        b"././@LongLink",
        &long_name,
    );
    let archive = archive.file("short", "").tar_gz();
    assert_refused(
        Upload::of(archive),
        (413, "archive_too_large"),
        "MAX_HEADER_BYTES",
    )
    .await;
}
