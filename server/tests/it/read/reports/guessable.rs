//! Guessable addresses: no page can load another report with them.

use super::{NAVIGATION, ask, header, uploaded, version};
use crate::harness::{Archive, TOKEN, TestServer};
use reqwest::Response;
use serde_json::Value;

/// The destinations (`Sec-Fetch-Dest`) of requests by elements of pages, `fetch` and workers.
const PARTS: [&str; 15] = [
    "script",
    "style",
    "image",
    "font",
    "object",
    "embed",
    "audio",
    "video",
    "track",
    "worker",
    "sharedworker",
    "xslt",
    "json",
    "manifest",
    "empty",
];

const ORIGIN: &str = "https://reports.example.com";
const HOST: (&str, &str) = ("host", "reports.example.com");

fn archive() -> Archive {
    let archive = Archive::new().file("index.html", "<p>");
    archive.file("main.js", "secret").file("sub/x.html", "x")
}

async fn get(server: &TestServer, path: &str, headers: &[(&str, &str)]) -> Response {
    let request = headers
        .iter()
        .fold(ask(server, path), |request, (name, value)| {
            request.header(*name, *value)
        });
    request.send().await.unwrap()
}

async fn assert_refused(response: Response) {
    let path = response.url().path().to_owned();
    assert_eq!(response.status(), 403, "{path}");
    assert_eq!(header(&response, "location"), None, "{path}");
    let problem: Value = response.json().await.unwrap();
    assert_eq!(problem["code"], "navigation_only", "{path}");
}

fn assert_varies(response: &Response) {
    let vary = response.headers().get_all("vary").iter();
    let mut vary = vary.map(|value| value.to_str().unwrap());
    assert!(
        vary.any(|names| names.contains("sec-fetch-dest")),
        "{response:?}"
    );
}

#[tokio::test]
async fn no_page_loads_a_report_file_without_its_version() {
    let server = TestServer::start().await;
    let report = uploaded(&server, archive()).await;
    let kept = version(&server, &report).await;
    for path in [
        &format!("{report}/main.js"),
        &format!("{report}/sub"),
        &format!("{report}/missing.js"),
        &format!("{report}/@0123456789abcdef/main.js"),
        &format!("{report}/@{}/main.js", "0".repeat(32)),
        &format!("{report}/"),
        &report,
        &format!("{report}.zip"),
        "/reports/999/main.js",
        "/coverages-api/assets/acme/payments/main/archive/main.js",
        "/coverages-ui/acme/payments",
    ] {
        for part in PARTS {
            for site in ["cross-site", "same-site"] {
                let sent = [("sec-fetch-dest", part), ("sec-fetch-site", site)];
                assert_refused(get(&server, path, &sent).await).await;
            }
        }
    }
    let script = [
        ("sec-fetch-dest", "script"),
        ("sec-fetch-site", "cross-site"),
    ];
    let own = get(&server, &format!("{kept}/main.js"), &script).await;
    assert_eq!(own.text().await.unwrap(), "secret");
    let refused = get(&server, &format!("{report}/main.js"), &script).await;
    assert_varies(&refused);
}

#[tokio::test]
async fn a_browser_is_redirected_to_the_version_and_a_program_gets_the_file() {
    let server = TestServer::start().await;
    let report = uploaded(&server, archive()).await;
    let kept = version(&server, &report).await;
    for shown in ["document", "iframe", "frame"] {
        for (path, leads_to) in [
            ("/main.js?x", "/main.js?x"),
            ("/sub/x.html", "/sub/x.html"),
            ("/@0123456789abcdef/main.js", "/main.js"),
            ("/", "/index.html"),
        ] {
            let sent = [("sec-fetch-dest", shown), ("sec-fetch-site", "cross-site")];
            let led = get(&server, &format!("{report}{path}"), &sent).await;
            assert_eq!(led.status(), 307, "{shown} {path}");
            let leads_to = format!("{kept}{leads_to}");
            assert_eq!(header(&led, "location"), Some(&leads_to[..]));
            assert_eq!(header(&led, "cache-control"), Some("private, no-cache"));
            assert_varies(&led);
        }
    }
    // "Save link as …" in a browser, and a program.
    for sent in [
        &[
            ("sec-fetch-dest", "empty"),
            ("sec-fetch-site", "same-origin"),
        ][..],
        &[("user-agent", "curl/8.5.0"), ("accept", "*/*")],
        &[],
    ] {
        let file = get(&server, &format!("{report}/main.js"), sent).await;
        assert_varies(&file);
        assert_eq!(file.text().await.unwrap(), "secret", "{sent:?}");
        let zip = get(&server, &format!("{report}.zip"), sent).await;
        assert_varies(&zip);
        assert_eq!(zip.status(), 200, "{sent:?}");
    }
}

#[tokio::test]
async fn no_page_over_plain_http_loads_a_report_file_without_its_version() {
    let server = TestServer::start().await;
    let report = uploaded(&server, archive()).await;
    let kept = version(&server, &report).await;
    let browser = (
        "user-agent",
        "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0",
    );
    for accept in ["*/*", "text/css,*/*;q=0.1", "image/avif,image/webp,*/*"] {
        let sent = [browser, ("accept", accept)];
        for path in ["/main.js", "/", ".zip", "/@0123456789abcdef/main.js"] {
            assert_refused(get(&server, &format!("{report}{path}"), &sent).await).await;
        }
        let own = get(&server, &format!("{kept}/main.js"), &sent).await;
        assert_eq!(own.text().await.unwrap(), "secret");
    }
    let sent = [browser, ("accept", NAVIGATION)];
    let led = get(&server, &format!("{report}/main.js"), &sent).await;
    assert_eq!(
        header(&led, "location"),
        Some(&format!("{kept}/main.js")[..])
    );
}

#[tokio::test]
async fn a_version_has_128_bits_and_an_old_one_redirects_only_navigations() {
    let server = TestServer::start().await;
    let report = uploaded(&server, archive()).await;
    let first = version(&server, &report).await;
    let digits = first.rsplit_once('@').unwrap().1;
    let is_digit = |digit: char| digit.is_ascii_hexdigit() && !digit.is_ascii_uppercase();
    assert!(
        digits.len() == 32 && digits.chars().all(is_digit),
        "{first}"
    );
    uploaded(&server, archive()).await;
    let second = version(&server, &report).await;
    assert_ne!(first, second);
    let old = format!("{first}/main.js");
    assert_refused(get(&server, &old, &[("sec-fetch-dest", "script")]).await).await;
    let led = get(&server, &old, &[("sec-fetch-dest", "document")]).await;
    assert_eq!(
        header(&led, "location"),
        Some(&format!("{second}/main.js")[..])
    );
}

#[tokio::test]
async fn reports_on_their_own_origin_cannot_reach_unknown_versions() {
    let server =
        TestServer::start_with(&["--upload-token", TOKEN, "--reports-origin", ORIGIN]).await;
    let report = uploaded(&server, archive()).await;
    let from = |site: &'static str, dest: &'static str| {
        [HOST, ("sec-fetch-site", site), ("sec-fetch-dest", dest)]
    };
    let start = get(
        &server,
        &format!("{report}/"),
        &from("cross-site", "iframe"),
    )
    .await;
    let kept = header(&start, "location").unwrap().to_owned();
    let kept = kept.strip_suffix("/index.html").unwrap();
    for path in ["/main.js", "/", ".zip", "/@0123456789abcdef/main.js"] {
        let path = format!("{report}{path}");
        for dest in ["document", "iframe", "frame", "empty", "script", "worker"] {
            assert_refused(get(&server, &path, &from("same-origin", dest)).await).await;
        }
        for dest in PARTS {
            assert_refused(get(&server, &path, &from("cross-site", dest)).await).await;
            // The dashboard's host redirects to it.
            let sent = [("sec-fetch-dest", dest), ("sec-fetch-site", "cross-site")];
            assert_refused(get(&server, &path, &sent).await).await;
        }
        for (site, dest) in [
            ("same-site", "iframe"),
            ("cross-site", "document"),
            ("none", "document"),
        ] {
            let status = get(&server, &path, &from(site, dest)).await.status();
            assert!(
                [200, 307].contains(&status.as_u16()),
                "{path} {site} {dest}"
            );
        }
    }
    for dest in ["script", "iframe", "empty"] {
        let own = get(
            &server,
            &format!("{kept}/main.js"),
            &from("same-origin", dest),
        )
        .await;
        assert_eq!(own.text().await.unwrap(), "secret", "{dest}");
    }
    // A report cannot frame what the dashboard's host redirects to, but the dashboard can. A window keeps its opener.
    for (site, dest, status) in [
        ("cross-site", "iframe", 403),
        ("same-site", "frame", 403),
        ("same-origin", "iframe", 307),
        ("cross-site", "document", 307),
        ("none", "document", 307),
    ] {
        let sent = [("sec-fetch-site", site), ("sec-fetch-dest", dest)];
        let led = get(&server, &format!("{report}/"), &sent).await;
        assert_eq!(led.status(), status, "{site} {dest}");
        let alone = (status == 307).then_some("same-origin");
        assert_eq!(header(&led, "cross-origin-opener-policy"), alone);
    }
    let led = get(
        &server,
        &format!("{report}/"),
        &from("cross-site", "document"),
    )
    .await;
    assert_eq!(
        header(&led, "cross-origin-opener-policy"),
        Some("same-origin")
    );
    assert_eq!(header(&led, "content-security-policy"), None);
    let page = get(&server, "/", &[]).await;
    assert_eq!(
        header(&page, "cross-origin-opener-policy"),
        Some("same-origin")
    );
    let mut shown = from("same-origin", "document").to_vec();
    shown.push(("accept", NAVIGATION));
    let page = get(&server, &format!("{report}/main.js"), &shown).await;
    assert_eq!(page.status(), 403);
    assert_eq!(
        header(&page, "content-type"),
        Some("text/html; charset=utf-8")
    );
}
