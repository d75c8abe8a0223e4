//! `HEAD`, conditional requests and ranges.

use super::{NAVIGATION, ask, header, noise, uploaded, version};
use crate::harness::{Archive, Reachable, TestServer};

#[tokio::test]
async fn a_cached_file_is_revalidated_and_not_sent_again() {
    let server = TestServer::start().await;
    let report = uploaded(&server, Archive::new().file("index.html", "one")).await;
    let path = format!("{report}/index.html");
    let etag = server.get(&path).await.headers()["etag"].clone();
    let again = async || {
        let request = ask(&server, &path).header("if-none-match", &etag);
        request.send().await.unwrap()
    };
    let response = again().await;
    assert_eq!(response.status(), 304);
    for name in ["etag", "last-modified", "cache-control", "vary"] {
        assert!(header(&response, name).is_some(), "{name}");
    }
    assert_eq!(header(&response, "content-type"), None);
    uploaded(&server, Archive::new().file("index.html", "two")).await;
    assert_eq!(
        again().await.status(),
        200,
        "a retry has replaced the report"
    );
}

#[tokio::test]
async fn dates_work_as_conditions() {
    let server = TestServer::start().await;
    let report = uploaded(&server, Archive::new().file("index.html", "one")).await;
    let path = format!("{report}/index.html");
    let modified = server.get(&path).await.headers()["last-modified"].clone();
    let long_ago = "Sun, 06 Nov 1994 08:49:37 GMT";
    let modified = modified.to_str().unwrap();
    for (name, value, status) in [
        ("if-modified-since", modified, 304),
        ("if-modified-since", long_ago, 200),
        ("if-unmodified-since", modified, 200),
        ("if-unmodified-since", long_ago, 412),
        ("if-match", "\"other\"", 412),
    ] {
        let response = ask(&server, &path)
            .header(name, value)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), status, "{name}: {value}");
    }
}

#[tokio::test]
async fn head_has_the_headers_of_get_and_no_body() {
    let server = TestServer::start().await;
    let archive = Archive::new()
        .file("index.html", noise())
        .file("small.css", "b{}");
    let report = uploaded(&server, archive).await;
    let version = version(&server, &report).await;
    for path in [
        format!("{version}/index.html"),
        format!("{report}/small.css"),
        format!("{report}.zip"),
        format!("{report}/"),
        format!("{report}/missing"),
    ] {
        for (accept, coding) in [("*/*", "identity"), (NAVIGATION, "gzip")] {
            let ask = |method| {
                let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
                let request = client.build().unwrap().request(method, server.url(&path));
                request
                    .header("accept", accept)
                    .header("accept-encoding", coding)
                    .send()
            };
            let head = ask(reqwest::Method::HEAD).await.unwrap();
            let get = ask(reqwest::Method::GET).await.unwrap();
            assert_eq!(head.status(), get.status());
            let headers = |response: &reqwest::Response| {
                let mut headers = response.headers().clone();
                headers.remove("date");
                headers.remove("x-request-id");
                headers
            };
            assert_eq!(headers(&head), headers(&get), "{path}");
            assert!(head.bytes().await.unwrap().is_empty());
        }
    }
}

#[tokio::test]
async fn a_range_is_of_the_uploaded_bytes_however_they_are_stored() {
    let server = TestServer::start().await;
    let large = noise();
    let archive = Archive::new()
        .file("index.html", "")
        .file("large.txt", &large)
        .file("large.png", &large)
        .file("small.txt", "0123456789");
    let report = uploaded(&server, archive).await;
    let part = async |name: &str, range: &str| {
        let request = ask(&server, &format!("{report}/{name}")).header("range", range);
        request
            .header("accept-encoding", "gzip")
            .send()
            .await
            .unwrap()
    };
    // Twice, because the second answer comes from memory.
    for _ in 0..2 {
        for name in ["large.txt", "large.png", "small.txt"] {
            let whole = if name.starts_with("small") {
                "0123456789"
            } else {
                &large
            };
            let end = whole.len();
            for (range, first, last) in [
                ("bytes=0-0".to_owned(), 0, 1),
                ("bytes=3-7".to_owned(), 3, 8),
                ("bytes=-2".to_owned(), end - 2, end),
                (format!("bytes={}-", end / 2), end / 2, end),
            ] {
                let response = part(name, &range).await;
                assert_eq!(response.status(), 206, "{name} {range}");
                assert_eq!(header(&response, "content-encoding"), None);
                let stated = format!("bytes {first}-{}/{end}", last - 1);
                assert_eq!(header(&response, "content-range"), Some(stated.as_str()));
                let length = (last - first).to_string();
                assert_eq!(header(&response, "content-length"), Some(length.as_str()));
                assert!(
                    response.text().await.unwrap() == whole[first..last],
                    "{name} {range}"
                );
            }
        }
        let response = part("small.txt", "bytes=10-").await;
        assert_eq!(response.status(), 416);
        assert_eq!(header(&response, "content-range"), Some("bytes */10"));
        let response = part("small.txt", "bytes=0-1,4-5").await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.text().await.unwrap(), "0123456789");
    }
}

#[tokio::test]
async fn a_range_is_sent_only_of_the_same_version_and_never_of_a_page() {
    let server = TestServer::start().await;
    let report = uploaded(&server, Archive::new().file("index.html", "0123456789")).await;
    let path = format!("{report}/index.html");
    let whole = ask(&server, &path).send().await.unwrap();
    assert_eq!(header(&whole, "accept-ranges"), Some("bytes"));
    let etag = header(&whole, "etag").unwrap().to_owned();
    for (if_range, status) in [(etag.as_str(), 206), ("\"other\"", 200)] {
        let request = ask(&server, &path).header("range", "bytes=1-2");
        let response = request.header("if-range", if_range).send().await.unwrap();
        assert_eq!(response.status(), status, "{if_range}");
    }
    let request = ask(&server, &path).header("range", "bytes=1-2");
    let page = request.header("accept", NAVIGATION).send().await.unwrap();
    assert_eq!(page.status(), 200);
    assert_eq!(header(&page, "accept-ranges"), None);
    assert!(page.text().await.unwrap().ends_with("0123456789"));
}
