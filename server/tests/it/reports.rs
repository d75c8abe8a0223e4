//! `GET /reports/{id}/…`: uploaded HTML as it is served.

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use reqwest::{Client, redirect::Policy};
use std::io::Read;

async fn uploaded(server: &TestServer, archive: Archive) -> String {
    let answer = Upload::of(archive.file("coverage.xml", cobertura(1, 2)).tar_gz())
        .accepted(server)
        .await;
    format!("/reports/{}", answer["coverage"]["id"])
}

/// Where the report's address leads.
async fn start_page(server: &TestServer, report: &str) -> String {
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    let response = client
        .get(server.url(&format!("{report}/")))
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 307);
    response.headers()["location"].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_report_opens_with_its_shallowest_index() {
    let server = TestServer::start().await;
    let archive = Archive::new()
        .file("b/c/index.html", "deep")
        .file("b/index.html", "top")
        .file("a.html", "other");
    let report = uploaded(&server, archive).await;
    assert_eq!(
        start_page(&server, &report).await,
        format!("{report}/b/index.html")
    );
    assert_eq!(
        server.get_text(&format!("{report}/b/index.html")).await,
        "top"
    );
}

#[tokio::test]
async fn a_report_with_a_single_page_opens_with_it() {
    let server = TestServer::start().await;
    let report = uploaded(&server, Archive::new().file("my cov?.html", "page")).await;
    assert_eq!(
        start_page(&server, &report).await,
        format!("{report}/my%20cov%3F.html")
    );
    assert_eq!(server.get_text(&format!("{report}/")).await, "page");
}

#[tokio::test]
async fn a_report_with_several_pages_and_no_index_opens_with_a_listing() {
    let server = TestServer::start().await;
    let archive = Archive::new()
        .file("a&b.html", "")
        .file("<c>.html", "")
        .file("ü/d.html", "found");
    let report = uploaded(&server, archive).await;
    let listing = server.get_text(&format!("{report}/")).await;
    assert!(
        listing.contains("a&amp;b.html") && listing.contains("&lt;c>.html"),
        "{listing}"
    );
    assert!(listing.contains("href=\"./%C3%BC/d.html\""), "{listing}");
    assert_eq!(
        server.get_text(&format!("{report}/%C3%BC/d.html")).await,
        "found"
    );
}

#[tokio::test]
async fn files_come_back_byte_by_byte_with_their_types_and_in_a_sandbox() {
    let server = TestServer::start().await;
    let large = "a line of a large page\n".repeat(100_000);
    let files: [(&str, &[u8], &str); 5] = [
        ("index.html", large.as_bytes(), "text/html"),
        ("style.css", b"b{}", "text/css; charset=utf-8"),
        ("sorter.js", b"1", "text/javascript; charset=utf-8"),
        ("bar.png", &[0x89, b'P', b'N', b'G', 0, 255], "image/png"),
        ("empty.json", b"", "application/json; charset=utf-8"),
    ];
    let archive = files
        .iter()
        .fold(Archive::new(), |archive, (path, content, _)| {
            archive.file(path, content)
        });
    let report = uploaded(&server, archive).await;
    for (path, content, media_type) in files {
        let response = server.get(&format!("{report}/{path}")).await;
        let headers = response.headers().clone();
        assert_eq!(headers["content-type"], media_type, "{path}");
        assert_eq!(
            headers["content-length"],
            content.len().to_string(),
            "{path}"
        );
        assert_eq!(headers["x-content-type-options"], "nosniff");
        assert_eq!(
            headers["content-security-policy"],
            "sandbox allow-scripts allow-popups allow-downloads"
        );
        assert!(response.bytes().await.unwrap() == content, "{path}");
    }
}

#[tokio::test]
async fn a_client_that_takes_gzip_gets_the_stored_bytes() {
    let server = TestServer::start().await;
    for html in [
        "<p>".repeat(20),
        "a line of a large page\n".repeat(100_000),
        noise(),
    ] {
        let report = uploaded(&server, Archive::new().file("index.html", &html)).await;
        let request = server
            .client
            .get(server.url(&format!("{report}/index.html")))
            .header("accept-encoding", "br, gzip;q=0.8");
        let response = request.send().await.unwrap();
        assert_eq!(response.headers()["content-encoding"], "gzip");
        assert_eq!(response.headers()["vary"], "accept, accept-encoding");
        let length: usize = response.headers()["content-length"]
            .to_str()
            .unwrap()
            .parse()
            .unwrap();
        let bytes = response.bytes().await.unwrap();
        assert_eq!(bytes.len(), length);
        let text = std::io::read_to_string(flate2::read::GzDecoder::new(&bytes[..])).unwrap();
        assert!(
            text == html,
            "{} bytes came back as {}",
            html.len(),
            text.len()
        );
    }
    let without_slash = server.get("/reports/1").await;
    assert_eq!(without_slash.url().path(), "/reports/1/index.html");
    let refused = server
        .client
        .get(server.url("/reports/1/index.html"))
        .header("accept-encoding", "gzip;q=0");
    assert!(
        refused
            .send()
            .await
            .unwrap()
            .headers()
            .get("content-encoding")
            .is_none()
    );
}

/// Text that does not deflate well, so that it is sent in several pieces.
fn noise() -> String {
    (0..400_000_u32)
        .map(|n| char::from(33 + (n.wrapping_mul(2_654_435_761) >> 24) as u8 % 90))
        .collect()
}

#[tokio::test]
async fn a_cached_file_is_asked_for_again_and_not_sent_again() {
    let server = TestServer::start().await;
    let path = format!(
        "{}/index.html",
        uploaded(&server, Archive::new().file("index.html", "one")).await
    );
    let etag = server.get(&path).await.headers()["etag"].clone();
    let ask = async || {
        server
            .client
            .get(server.url(&path))
            .header("if-none-match", &etag)
            .send()
            .await
            .unwrap()
            .status()
    };
    assert_eq!(ask().await, 304);
    uploaded(&server, Archive::new().file("index.html", "two")).await;
    assert_eq!(ask().await, 200, "a retry has replaced the report");
}

#[tokio::test]
async fn an_older_record_keeps_its_report() {
    let server = TestServer::start().await;
    let older = uploaded(&server, Archive::new().file("index.html", "older")).await;
    let archive = Archive::report("newer", &cobertura(1, 2)).tar_gz();
    Upload::of(archive)
        .with("commit_hash", "c2")
        .accepted(&server)
        .await;
    assert_eq!(server.get_text(&format!("{older}/")).await, "older");
}

#[tokio::test]
async fn what_is_not_there_is_404() {
    let server = TestServer::start().await;
    let report = uploaded(&server, Archive::new().file("index.html", "")).await;
    for path in [
        &format!("{report}/nothing.html"),
        &format!("{report}/%2e%2e/%2e%2e/coverage.db"),
        "/reports/999/",
        "/reports/x/",
        "/reports/1/%ff",
        "/reports/%ff/",
        "/reports/999/index.html",
    ] {
        let response = server.get(path).await;
        assert_eq!(response.status(), 404, "{path}");
    }
}

/// As a browser asks for a page that it is about to show.
async fn navigate(server: &TestServer, path: &str, accept_encoding: &str) -> (String, Vec<u8>) {
    let request = server
        .client
        .get(server.url(path))
        .header("accept", "text/html,application/xhtml+xml,*/*;q=0.8")
        .header("accept-encoding", accept_encoding);
    let response = request.send().await.unwrap();
    let header = |name| {
        response
            .headers()
            .get(name)
            .map(|value| value.to_str().unwrap().to_owned())
    };
    let (media_type, coding) = (header("content-type").unwrap(), header("content-encoding"));
    let length: usize = header("content-length").unwrap().parse().unwrap();
    let bytes = response.bytes().await.unwrap();
    assert_eq!(bytes.len(), length);
    if coding.is_none() {
        return (media_type, bytes.into());
    }
    let mut page = Vec::new();
    flate2::read::GzDecoder::new(&bytes[..])
        .read_to_end(&mut page)
        .unwrap();
    (media_type, page)
}

#[tokio::test]
async fn a_page_in_a_browser_begins_with_the_stand_in_for_storage_and_goes_on_as_uploaded() {
    let server = TestServer::start().await;
    let small = "<!DOCTYPE html><meta charset=\"utf-8\"><p>ü".to_owned();
    let large = format!("<!DOCTYPE html>{}", noise());
    for page in [small, large, String::new()] {
        let report = uploaded(&server, Archive::new().file("index.html", &page)).await;
        for coding in ["gzip", "identity"] {
            let (media_type, shown) =
                navigate(&server, &format!("{report}/index.html"), coding).await;
            let front = String::from_utf8_lossy(&shown[..shown.len() - page.len()]).into_owned();
            assert!(shown.ends_with(page.as_bytes()));
            assert!(
                front.starts_with(if page.is_empty() {
                    "<script>"
                } else {
                    "<!DOCTYPE html><script>"
                }),
                "{front}"
            );
            assert!(front.ends_with("</script>") && media_type.starts_with("text/html"));
        }
    }
}

#[tokio::test]
async fn a_page_with_a_byte_order_mark_keeps_it_first() {
    let server = TestServer::start().await;
    let report = uploaded(
        &server,
        Archive::new().file("index.html", b"\xef\xbb\xbf<!DOCTYPE html><p>"),
    )
    .await;
    let (_, shown) = navigate(&server, &format!("{report}/index.html"), "gzip").await;
    assert!(
        shown.starts_with(b"\xef\xbb\xbf<!DOCTYPE html><script>")
            && shown.ends_with(b"</script><!DOCTYPE html><p>")
    );
}

#[tokio::test]
async fn a_stated_charset_is_repeated_where_every_browser_looks() {
    let server = TestServer::start().await;
    let page = b"<html><head><meta http-equiv='Content-Type' content='text/html; charset=ISO-8859-1'><p>\xe4";
    let report = uploaded(&server, Archive::new().file("index.html", page)).await;
    let (media_type, shown) = navigate(&server, &format!("{report}/index.html"), "gzip").await;
    assert_eq!(media_type, "text/html; charset=iso-8859-1");
    assert!(shown.ends_with(page));
}
