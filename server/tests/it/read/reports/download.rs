//! `GET /reports/{id}.zip`.

use super::{ask, header, uploaded};
use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use std::io::{Cursor, Read};
use zip::ZipArchive;

#[tokio::test]
async fn a_report_can_be_downloaded_as_one_file() {
    let server = TestServer::start().await;
    let page = "<p>".repeat(100_000);
    let archive = Archive::new()
        .file("ü/index.html", &page)
        .file("bar.png", "png");
    let report = uploaded(&server, archive).await;
    let response = server.get(&format!("{report}.zip")).await;
    assert_eq!(header(&response, "content-type"), Some("application/zip"));
    assert_eq!(
        header(&response, "content-disposition"),
        Some("attachment; filename=\"acme-payments-main-c1.zip\"")
    );
    assert_eq!(
        header(&response, "cache-control"),
        Some("private, no-cache")
    );
    let etag = header(&response, "etag").unwrap().to_owned();
    let bytes = response.bytes().await.unwrap();
    let mut zip = ZipArchive::new(Cursor::new(&bytes)).unwrap();
    assert_eq!(zip.len(), 3);
    let mut read = String::new();
    zip.by_name("ü/index.html")
        .unwrap()
        .read_to_string(&mut read)
        .unwrap();
    assert!(read == page);

    let path = format!("{report}.zip");
    let part = ask(&server, &path)
        .header("range", "bytes=2-5")
        .send()
        .await
        .unwrap();
    assert_eq!(part.status(), 206);
    assert_eq!(part.bytes().await.unwrap(), bytes[2..6]);
    let again = ask(&server, &path)
        .header("if-none-match", etag)
        .send()
        .await
        .unwrap();
    assert_eq!(again.status(), 304);
}

#[tokio::test]
async fn any_branch_name_gives_a_portable_download_file_name() {
    let server = TestServer::start().await;
    let archive = Archive::report("", &cobertura(1, 2)).tar_gz();
    let answer = Upload::of(archive)
        .with("branch_name", "fix/grün \"x\"")
        .accepted(&server)
        .await;
    let response = server
        .get(&format!("/reports/{}.zip", answer["coverage"]["id"]))
        .await;
    assert_eq!(
        header(&response, "content-disposition"),
        Some(
            "attachment; filename=\"acme-payments-fix-gr-n--x--c1.zip\"; \
             filename*=UTF-8''acme-payments-fix-gr%C3%BCn--x--c1.zip"
        )
    );
}

#[tokio::test]
async fn a_record_without_a_report_has_no_download() {
    let server = TestServer::start().await;
    uploaded(&server, Archive::new()).await;
    for path in [
        "/reports/1.zip",
        "/reports/999.zip",
        "/reports/x.zip",
        "/reports/.zip",
    ] {
        assert_eq!(server.get(path).await.status(), 404, "{path}");
    }
}
