//! Folder pages of a report.

use super::{header, location, uploaded, version};
use crate::harness::{Archive, Reachable, TestServer};

#[tokio::test]
async fn a_folder_shows_its_index_with_or_without_a_trailing_slash() {
    let server = TestServer::start().await;
    let archive = Archive::new()
        .file("htmlcov/index.html", "index")
        .file("htmlcov/a b/x.html", "");
    let report = uploaded(&server, archive).await;
    let version = version(&server, &report).await;
    for base in [&report, &version] {
        assert_eq!(server.get_text(&format!("{base}/htmlcov/")).await, "index");
        let led = location(&server, &format!("{base}/htmlcov")).await;
        assert_eq!(led, format!("{base}/htmlcov/"));
        let led = location(&server, &format!("{base}/htmlcov/a%20b")).await;
        assert_eq!(led, format!("{base}/htmlcov/a%20b/"));
    }
    for path in ["htmlcov/none/", "htmlco/", "htmlco", "htmlcov/index.html/"] {
        assert_eq!(
            server.get(&format!("{version}/{path}")).await.status(),
            404,
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_report_without_a_start_page_opens_with_a_folder_listing() {
    let server = TestServer::start().await;
    let archive = Archive::new()
        .file("a&b.html", "x".repeat(1_500))
        .file("<c>.html", "")
        .file("ü/d.html", "found")
        .file("ü/deeper/e.html", "");
    let report = uploaded(&server, archive).await;
    let response = server.get(&format!("{report}/")).await;
    assert_eq!(
        header(&response, "content-security-policy"),
        Some(
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox allow-downloads"
        )
    );
    assert_eq!(
        header(&response, "cache-control"),
        Some("private, no-cache")
    );
    let top = response.url().clone();
    let listing = response.text().await.unwrap();
    for part in [
        "<a href=\"./a&amp;b.html\">a&amp;b.html</a></th><td class=\"size\">1.5 kB</td>",
        "<a href=\"./%3Cc%3E.html\">&lt;c&gt;.html</a>",
        "<a href=\"./%C3%BC/\">ü/</a>",
        "href=\"/reports/1.zip\"",
    ] {
        assert!(listing.contains(part), "{part} in {listing}");
    }
    assert!(
        listing.find("ü/") < listing.find("a&amp;b"),
        "folders come first"
    );
    assert!(!listing.contains("Parent folder"));
    let folder = top.join("./%C3%BC/").unwrap();
    let listing = server.get_text(folder.path()).await;
    assert!(
        listing.contains("href=\"../\"") && listing.contains("href=\"./deeper/\""),
        "{listing}"
    );
    assert_eq!(
        server
            .get_text(folder.join("./d.html").unwrap().path())
            .await,
        "found"
    );
}

#[tokio::test]
async fn a_folder_with_very_many_files_is_listed_in_part() {
    let server = TestServer::start().await;
    let archive = (0..1_100).fold(Archive::new(), |archive, number| {
        archive.file(&format!("{number:04}.html"), "")
    });
    let report = uploaded(&server, archive).await;
    let listing = server.get_text(&format!("{report}/")).await;
    assert_eq!(listing.matches(".html</a>").count(), 1_000);
    assert!(listing.contains("0999.html") && !listing.contains("1000.html"));
    assert!(listing.contains("more files than this page can list"));
}
