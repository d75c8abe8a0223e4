//! The theme switch on the server: a form, a cookie, and a page in the chosen theme.

use crate::harness::{Reachable, TestServer};
use reqwest::{Client, Response, redirect::Policy};

async fn choose(server: &TestServer, theme: &str, headers: &[(&str, &str)]) -> Response {
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    let request = client
        .post(server.url("/theme"))
        .body(format!("theme={theme}"));
    let is_said = headers.iter().any(|(name, _)| *name == "sec-fetch-site");
    let request = if is_said {
        request
    } else {
        request.header("sec-fetch-site", "same-origin")
    };
    headers
        .iter()
        .fold(request, |request, (name, value)| {
            request.header(*name, *value)
        })
        .send()
        .await
        .unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
    response.headers().get(name)?.to_str().ok()
}

#[tokio::test]
async fn a_chosen_theme_is_stored_and_applied_to_the_page() {
    let server = TestServer::start().await;
    let page = server.url("/setup?ci=github");
    let answer = choose(&server, "dark", &[("referer", &page)]).await;
    assert_eq!(answer.status(), 303);
    assert_eq!(header(&answer, "location"), Some("/setup?ci=github"));
    let cookie = header(&answer, "set-cookie").unwrap();
    assert!(cookie.starts_with("theme=dark; Path=/; "), "{cookie}");

    let page = server
        .client()
        .get(server.url("/"))
        .header("cookie", "a=b; theme=dark");
    let page = page.send().await.unwrap().text().await.unwrap();
    assert!(page.contains("data-theme=\"dark\""), "{page}");
    assert!(
        page.contains("name=\"color-scheme\" content=\"dark\""),
        "{page}"
    );
}

#[tokio::test]
async fn an_unknown_theme_is_the_system_theme_and_never_markup() {
    let server = TestServer::start().await;
    let answer = choose(&server, "%22%3E%3Cb%3E", &[]).await;
    assert!(
        header(&answer, "set-cookie")
            .unwrap()
            .starts_with("theme=system;")
    );
    let page = server
        .client()
        .get(server.url("/"))
        .header("cookie", "theme=\"><b>");
    let page = page.send().await.unwrap().text().await.unwrap();
    assert!(
        page.contains("data-theme=\"system\"") && !page.contains("<b>"),
        "{page}"
    );
}

#[tokio::test]
async fn the_theme_switch_redirects_and_accepts_forms_of_this_host_only() {
    let server = TestServer::start().await;
    for elsewhere in [
        "https://evil.example//evil.example/x",
        "https://evil.example/\\x",
        "nonsense",
        "",
    ] {
        let answer = choose(&server, "light", &[("referer", elsewhere)]).await;
        let location = header(&answer, "location").unwrap();
        assert!(
            location.starts_with('/') && !location.starts_with("//"),
            "{elsewhere}: {location}"
        );
    }
    for site in ["cross-site", "same-site", "none"] {
        let answer = choose(&server, "light", &[("sec-fetch-site", site)]).await;
        assert_eq!(answer.status(), 403, "{site}");
        assert_eq!(header(&answer, "set-cookie"), None);
    }
    let long = "x".repeat(20_000);
    assert_eq!(choose(&server, &long, &[]).await.status(), 400);
}

#[tokio::test]
async fn pages_are_compressed_as_the_client_accepts() {
    let server = TestServer::start().await;
    let client = Client::builder().no_brotli().no_gzip().build().unwrap();
    for (accepted, coded) in [
        ("br, gzip", Some("br")),
        ("gzip", Some("gzip")),
        ("identity", None),
    ] {
        let page = client
            .get(server.url("/"))
            .header("accept-encoding", accepted);
        let page = page.send().await.unwrap();
        assert_eq!(header(&page, "content-encoding"), coded, "{accepted}");
        assert!(header(&page, "vary").is_none_or(|vary| vary.contains("accept-encoding")));
    }
}
