//! The files of a report are served as uploaded.

use super::{noise, uploaded};
use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};

#[tokio::test]
async fn files_are_served_unchanged_with_their_types_and_sandboxed() {
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
        assert!(!headers.contains_key("access-control-allow-origin"));
        assert_eq!(
            headers["content-security-policy"],
            "sandbox allow-scripts allow-popups allow-downloads; connect-src 'none'; form-action 'none'"
        );
        assert!(response.bytes().await.unwrap() == content, "{path}");
    }
}

#[tokio::test]
async fn a_client_that_accepts_gzip_gets_the_stored_bytes() {
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
    assert!(without_slash.url().path().ends_with("/index.html"));
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
