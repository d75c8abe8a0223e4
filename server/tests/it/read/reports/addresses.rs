//! Which page of a report opens first, and the addresses of its files.

use super::{NAVIGATION, ask, header, location, uploaded, version};
use crate::harness::{Archive, Reachable, TestServer, remove_database};

#[tokio::test]
async fn a_report_opens_with_its_shallowest_index() {
    let server = TestServer::start().await;
    let archive = Archive::new()
        .file("b/c/index.html", "deep")
        .file("b/index.html", "top")
        .file("a.html", "other");
    let report = uploaded(&server, archive).await;
    let start = location(&server, &format!("{report}/")).await;
    assert_eq!(
        start,
        format!("{}/b/index.html", version(&server, &report).await)
    );
    assert_eq!(server.get_text(&start).await, "top");
    assert_eq!(
        server.get_text(&format!("{report}/b/index.html")).await,
        "top"
    );
}

#[tokio::test]
async fn a_report_with_a_single_page_opens_with_it() {
    let server = TestServer::start().await;
    let archive = Archive::new()
        .file("._my cov?.html", "of a Mac")
        .file("my cov?.html", "page");
    let report = uploaded(&server, archive).await;
    let start = location(&server, &format!("{report}/")).await;
    assert!(start.ends_with("/my%20cov%3F.html"), "{start}");
    assert_eq!(server.get_text(&format!("{report}/")).await, "page");
}

#[tokio::test]
async fn a_versioned_address_is_immutable_and_any_other_is_revalidated() {
    let server = TestServer::start().await;
    let report = uploaded(&server, Archive::new().file("index.html", "one")).await;
    let first = version(&server, &report).await;
    let lasting = server.get(&format!("{first}/index.html")).await;
    assert_eq!(
        header(&lasting, "cache-control"),
        Some("private, max-age=31536000, immutable")
    );
    let current = server.get(&format!("{report}/index.html")).await;
    assert_eq!(header(&current, "cache-control"), Some("private, no-cache"));
    assert_eq!(header(&current, "etag"), header(&lasting, "etag"));

    uploaded(&server, Archive::new().file("index.html", "two")).await;
    let second = version(&server, &report).await;
    assert_ne!(first, second);
    for (path, now) in [
        (
            format!("{first}/index.html?x"),
            format!("{second}/index.html?x"),
        ),
        (format!("{first}/"), format!("{second}/")),
        (first.clone(), format!("{second}/")),
        (second.clone(), format!("{second}/")),
    ] {
        assert_eq!(location(&server, &path).await, now);
    }
    assert_eq!(server.get_text(&format!("{first}/index.html")).await, "two");
    assert_eq!(
        server.get_text(&format!("{report}/index.html")).await,
        "two"
    );
}

#[tokio::test]
async fn a_version_is_valid_for_its_own_record_only() {
    let server = TestServer::start().await;
    let first = uploaded(&server, Archive::new().file("index.html", "one")).await;
    let other = crate::harness::Upload::of(
        Archive::report("other", &crate::harness::cobertura(1, 2)).tar_gz(),
    )
    .with("branch_name", "other")
    .accepted(&server)
    .await;
    let other = format!("/reports/{}", other["coverage"]["id"]);
    let of_first = version(&server, &first).await;
    let mixed = of_first.replace(&first, &other);
    let own = version(&server, &other).await;
    assert_eq!(
        location(&server, &format!("{mixed}/index.html")).await,
        format!("{own}/index.html")
    );
    let nobodys = of_first.replace(&first, "/reports/999");
    assert_eq!(
        server.get(&format!("{nobodys}/index.html")).await.status(),
        404
    );
}

#[tokio::test]
async fn a_versioned_address_needs_no_database_while_the_report_is_open() {
    let server = TestServer::start().await;
    let archive = Archive::new()
        .file("index.html", "one")
        .file("a.css", "b{}");
    let report = uploaded(&server, archive).await;
    let version = version(&server, &report).await;
    assert_eq!(
        server.get_text(&format!("{version}/index.html")).await,
        "one"
    );
    remove_database(server.folder.path());
    assert_eq!(
        server.get_text(&format!("{version}/index.html")).await,
        "one"
    );
    assert_eq!(server.get_text(&format!("{version}/a.css")).await, "b{}");
}

#[tokio::test]
async fn uploaded_folders_may_look_like_versions() {
    let server = TestServer::start().await;
    let archive = Archive::new()
        .file("@types/index.html", "types")
        .file("@0123456789abcdef/index.html", "looks like one");
    let report = uploaded(&server, archive).await;
    let version = version(&server, &report).await;
    assert_eq!(
        server
            .get_text(&format!("{report}/@types/index.html"))
            .await,
        "types"
    );
    for (path, content) in [
        ("@types/index.html", "types"),
        ("@0123456789abcdef/index.html", "looks like one"),
    ] {
        assert_eq!(server.get_text(&format!("{version}/{path}")).await, content);
    }
}

#[tokio::test]
async fn an_unknown_report_or_file_is_404() {
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

#[tokio::test]
async fn a_browser_gets_a_page_that_names_what_is_missing() {
    let server = TestServer::start().await;
    let report = uploaded(&server, Archive::new().file("index.html", "")).await;
    let version = version(&server, &report).await;
    for (path, has_start) in [
        (format!("{report}/<b>"), true),
        (format!("{version}/<b>"), true),
        ("/reports/999/x".to_owned(), false),
        ("/reports/999/".to_owned(), false),
        ("/reports/999.zip".to_owned(), false),
    ] {
        let response = ask(&server, &path)
            .header("accept", NAVIGATION)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 404, "{path}");
        assert_eq!(
            header(&response, "content-type"),
            Some("text/html; charset=utf-8")
        );
        assert_eq!(
            header(&response, "cache-control"),
            Some("private, no-cache")
        );
        assert!(
            header(&response, "content-security-policy")
                .unwrap()
                .starts_with("default-src 'none'")
        );
        let page = response.text().await.unwrap();
        assert!(
            !page.contains("<b>") && page.contains("href=\"/\""),
            "{page}"
        );
        assert_eq!(page.contains("href=\"/reports/1/\""), has_start, "{page}");

        let response = ask(&server, &path).send().await.unwrap();
        assert_eq!(
            header(&response, "content-type"),
            Some("application/problem+json")
        );
        assert_eq!(
            header(&response, "cache-control"),
            Some("private, no-cache")
        );
    }
}
