//! Invalid archives and coverage files.

use super::{assert_refused, refused};
use crate::harness::{Archive, TestServer, Upload, cobertura, noise};

#[tokio::test]
async fn a_body_that_is_not_an_archive_is_415() {
    for (body, what) in [
        (b"".to_vec(), "empty"),
        (b"<html>502 Bad Gateway</html>".to_vec(), "not an archive"),
        (vec![b'x'; 4_096], "not an archive"),
        (
            crate::harness::gzip(b"only text"),
            "does not contain a tar archive",
        ),
        (b"BZh9rest".to_vec(), "or a zip archive"),
        (
            b"MZ\x90\0a zip that extracts itself".to_vec(),
            "not an archive",
        ),
    ] {
        assert_refused(Upload::of(body), (415, "unsupported_media_type"), what).await;
    }
}

#[tokio::test]
async fn a_missing_coverage_file_is_answered_with_the_files_in_the_archive() {
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
        "or any other coverage file",
    )
    .await;
}

#[tokio::test]
async fn an_unreadable_coverage_file_is_refused_with_place_and_expectation() {
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
async fn each_upload_limit_has_its_own_error_text() {
    let archive = Archive::report(&"<p>".repeat(3_000), &cobertura(1, 2)).tar_gz();
    for (limit, code, name) in [
        (
            ["--max-unpacked-bytes", "5000"],
            "archive_too_large",
            "MAX_UNPACKED_BYTES",
        ),
        (
            ["max_file_bytes", "5000"],
            "archive_too_large",
            "bytes for one file",
        ),
        (
            ["max_entries", "2"],
            "archive_too_large",
            "files and folders",
        ),
    ] {
        let archive = if name == "files and folders" {
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
    let large = Archive::new().file("noise.bin", noise(200_000)).tar();
    let (status, code, _) = refused(Upload::of(large), &["--max-upload-bytes", "100000"]).await;
    assert_eq!((status, code.as_str()), (413, "upload_too_large"));
}

#[tokio::test]
async fn each_coverage_file_limit_has_its_own_error_text() {
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
        ("max_report_depth", "16", "nested deeper than 16"),
        ("max_report_token_bytes", "300", "longer than 300 bytes"),
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
