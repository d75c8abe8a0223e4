//! Protected reading with a reports origin, which gets no credentials.

use super::{signed::parts, *};

const ORIGIN: &str = "https://reports.example.com";
const HOST: &str = "reports.example.com";

async fn start() -> (TestServer, String) {
    let server = protected(&["--reports-origin", ORIGIN]).await;
    let token = read_token(&server).await;
    (server, token)
}

/// The answer of the reports host. A credential has no effect there.
async fn on_origin(server: &TestServer, token: &str, path: &str) -> Response {
    let request = ask(server, Method::GET, path).header("host", HOST);
    request.bearer_auth(token).send().await.unwrap()
}

#[tokio::test]
async fn the_dashboard_redirects_readers_to_signed_report_addresses() {
    let (server, token) = start().await;
    for path in [
        "/reports/1/?x",
        "/reports/1/index.html?x",
        "/reports/1/@0123456789abcdef/index.html?x",
    ] {
        assert_closed(strange(&server, path).await, "missing_token").await;
        let address = location(&read(&server, &token, path).await);
        assert!(
            address.starts_with(&format!("{ORIGIN}/reports/1/@")),
            "{address}"
        );
        assert_eq!(parts(&address).4, "index.html?x");
        let path = address.strip_prefix(ORIGIN).unwrap();
        let request = ask(&server, Method::GET, path).header("host", HOST);
        let page = request.send().await.unwrap();
        assert_eq!(page.status(), 200);
        assert_eq!(header(&page, "cross-origin-resource-policy"), "same-origin");
        assert_eq!(page.text().await.unwrap(), "one");

        // The dashboard's host never serves the report, because it could read the dashboard there.
        assert_closed(strange(&server, path).await, "missing_token").await;
        let again = location(&read(&server, &token, path).await);
        assert!(again.starts_with(ORIGIN), "{again}");
    }
    assert_eq!(read(&server, &token, "/reports/999/").await.status(), 404);
}

#[tokio::test]
async fn the_reports_origin_redirects_unsigned_requests_to_the_dashboard() {
    let (server, token) = start().await;
    let address = location(&read(&server, &token, "/reports/1/").await);
    let forged = address.strip_prefix(ORIGIN).unwrap().replace("/1/", "/2/");
    for path in [
        "/reports/1",
        "/reports/1/",
        "/reports/1/index.html?x=%20",
        "/reports/1/@0123456789abcdef/index.html",
        "/reports/1.zip",
        "/reports/999/",
        "/reports/999/index.html",
        "/reports/999.zip",
        "/reports/x/%ff",
        &forged,
    ] {
        let response = on_origin(&server, &token, path).await;
        assert_eq!(location(&response), server.url(path));
        assert_eq!(header(&response, "cache-control"), "private, no-cache");
    }
    for path in ["/", "/coverages-api", "/login", "/pkg/x.css"] {
        let response = on_origin(&server, &token, path).await;
        assert_eq!(response.status(), 404, "{path}");
    }
}

#[tokio::test]
async fn readers_download_a_report_archive_from_the_dashboard() {
    let (server, token) = start().await;
    assert_closed(strange(&server, "/reports/1.zip").await, "missing_token").await;
    let response = read(&server, &token, "/reports/1.zip").await;
    assert_eq!(response.status(), 200);
    assert_eq!(header(&response, "content-type"), "application/zip");
    assert_eq!(header(&response, "cache-control"), "private, no-cache");
    assert!(header(&response, "content-disposition").starts_with("attachment"));
}

#[tokio::test]
async fn the_login_may_redirect_to_the_reports_origin() {
    let (server, _) = start().await;
    let request = ask(&server, Method::GET, "/reports/1/").header("accept", NAVIGATION);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 401);
    let policy = header(&response, "content-security-policy");
    assert!(
        policy.contains("form-action 'self' https://reports.example.com;"),
        "{policy}"
    );
}
