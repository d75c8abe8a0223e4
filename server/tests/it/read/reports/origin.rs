//! `--reports-origin`: reports on their own origin, recognised by the `Host` of the request.

use super::{NAVIGATION, ask, header, uploaded};
use crate::harness::{Archive, Reachable, TOKEN, TestServer};

const ORIGIN: &str = "https://reports.example.com";
const HOST: &str = "reports.example.com";

async fn start() -> TestServer {
    TestServer::start_with(&["--upload-token", TOKEN, "--reports-origin", ORIGIN]).await
}

#[tokio::test]
async fn the_dashboard_redirects_to_the_reports_origin_and_may_frame_it() {
    let server = start().await;
    let report = uploaded(&server, Archive::new().file("index.html", "page")).await;
    for path in [
        "",
        "/",
        "/index.html?x=%20",
        "/@0123456789abcdef/a%2Fb",
        ".zip",
    ] {
        let response = ask(&server, &format!("{report}{path}"))
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 307);
        assert_eq!(
            header(&response, "location"),
            Some(format!("{ORIGIN}{report}{path}").as_str())
        );
    }
    for page in ["/", "/repos/acme/payments"] {
        let response = server.get(page).await;
        let policy = header(&response, "content-security-policy")
            .unwrap()
            .to_owned();
        assert!(
            policy.contains("frame-src 'self' https://reports.example.com;"),
            "{policy}"
        );
        let html = response.text().await.unwrap();
        assert!(
            html.contains(&format!("href=\"{ORIGIN}{report}/\"")),
            "{html}"
        );
        assert!(!html.contains(&format!("href=\"{report}")), "{html}");
    }
}

#[tokio::test]
async fn report_pages_on_their_own_origin_are_served_as_uploaded() {
    let server = start().await;
    let report = uploaded(&server, Archive::new().file("index.html", "page")).await;
    let on_origin = async |path: &str| {
        let request = ask(&server, path)
            .header("host", HOST)
            .header("accept", NAVIGATION);
        request.send().await.unwrap()
    };
    let response = on_origin(&format!("{report}/")).await;
    assert_eq!(response.status(), 307);
    let page = on_origin(header(&response, "location").unwrap()).await;
    let policy = header(&page, "content-security-policy").unwrap();
    assert!(
        policy.starts_with(
            "sandbox allow-scripts allow-same-origin allow-popups allow-downloads allow-forms allow-modals; frame-ancestors 'self' http://"
        ),
        "{policy}"
    );
    assert_eq!(
        header(&page, "cross-origin-resource-policy"),
        Some("same-origin")
    );
    assert_eq!(header(&page, "access-control-allow-origin"), None);
    assert_eq!(page.text().await.unwrap(), "page");
    let missing = on_origin(&format!("{report}/missing")).await;
    let html = missing.text().await.unwrap();
    assert!(
        html.contains(&format!("href=\"{}\"", server.url("/"))),
        "{html}"
    );
}

#[tokio::test]
async fn the_reports_origin_serves_only_reports() {
    let server = start().await;
    for path in [
        "/",
        "/coverages-api",
        "/coverages-api/health",
        "/repos/a/b",
        "/setup",
        "/favicon.svg",
        "/pkg/x",
        "/records/1",
    ] {
        let response = ask(&server, path)
            .header("host", HOST)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 404, "{path}");
        assert_eq!(
            header(&response, "content-type"),
            Some("application/problem+json")
        );
    }
    let post = server
        .client
        .post(server.url("/coverages-api"))
        .header("host", HOST);
    assert_eq!(post.send().await.unwrap().status(), 404);
}

#[tokio::test]
async fn a_service_worker_script_is_never_sent() {
    for (server, host) in [
        (TestServer::start().await, None),
        (start().await, Some(HOST)),
    ] {
        let report = uploaded(&server, Archive::new().file("sw.js", "")).await;
        let request = ask(&server, &format!("{report}/sw.js")).header("service-worker", "script");
        let request = match host {
            Some(host) => request.header("host", host),
            None => request,
        };
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 403);
        assert!(
            response
                .text()
                .await
                .unwrap()
                .contains("service_worker_not_allowed")
        );
    }
}

#[tokio::test]
async fn framed_pages_on_the_reports_origin_get_the_storage_shim() {
    let server = start().await;
    let report = uploaded(&server, Archive::new().file("index.html", "page")).await;
    let start = ask(&server, &format!("{report}/")).header("host", HOST);
    let start = start.send().await.unwrap();
    let page = header(&start, "location").unwrap();
    let shown = async |destination: &'static str| {
        let request = ask(&server, page)
            .header("host", HOST)
            .header("accept", NAVIGATION)
            .header("sec-fetch-dest", destination);
        let response = request.send().await.unwrap();
        let vary = header(&response, "vary").unwrap().to_owned();
        assert!(vary.contains("sec-fetch-dest"), "{vary}");
        let etag = header(&response, "etag").unwrap().to_owned();
        (etag, response.text().await.unwrap())
    };
    let (etag_of_page, page) = shown("document").await;
    assert_eq!(page, "page");
    for destination in ["iframe", "frame"] {
        let (etag, framed) = shown(destination).await;
        assert!(
            framed.starts_with("<script>") && framed.ends_with("</script>page"),
            "{framed}"
        );
        assert_ne!(etag, etag_of_page);
    }
    let (_, style) = shown("style").await;
    assert_eq!(style, "page");
}
