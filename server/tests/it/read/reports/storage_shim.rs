//! Pages as browsers get them: with a storage shim in front, which the sandbox requires.

use super::{noise, uploaded};
use crate::harness::{Archive, Reachable, TestServer};
use std::io::Read;

/// Requests a page as a browser navigation.
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
async fn a_page_in_a_browser_starts_with_the_storage_shim() {
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
async fn a_declared_charset_is_repeated_where_every_browser_looks() {
    let server = TestServer::start().await;
    let page = b"<html><head><meta http-equiv='Content-Type' content='text/html; charset=ISO-8859-1'><p>\xe4";
    let report = uploaded(&server, Archive::new().file("index.html", page)).await;
    let (media_type, shown) = navigate(&server, &format!("{report}/index.html"), "gzip").await;
    assert_eq!(media_type, "text/html; charset=windows-1252");
    assert!(shown.ends_with(page));
}
