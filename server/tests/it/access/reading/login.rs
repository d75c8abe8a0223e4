//! The login page and its form.

use super::*;

/// The headers of a browser that submits a form of the page it shows.
pub const OURS: (&str, &str) = ("sec-fetch-site", "same-origin");

/// Submits the form.
pub async fn log_in(server: &TestServer, token: &str, next: &str) -> Response {
    form(server, token, next).send().await.unwrap()
}

/// The form, filled in.
pub fn form(server: &TestServer, token: &str, next: &str) -> RequestBuilder {
    let form: String = [("token", token), ("next", next)]
        .map(|(name, value)| {
            let value: String = value.bytes().map(|byte| format!("%{byte:02x}")).collect();
            format!("{name}={value}")
        })
        .join("&");
    ask(server, Method::POST, "/login")
        .header("content-type", "application/x-www-form-urlencoded")
        .header(OURS.0, OURS.1)
        .body(form)
}

fn assert_is_login_page(response: &Response) {
    assert_eq!(header(response, "content-type"), "text/html; charset=utf-8");
    assert_eq!(header(response, "cache-control"), "no-store");
    assert_eq!(header(response, "x-content-type-options"), "nosniff");
    assert_eq!(
        header(response, "content-security-policy"),
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
}

#[tokio::test]
async fn a_browser_gets_a_login_form_that_returns_to_its_page() {
    let server = protected(&[]).await;
    let token = read_token(&server).await;
    let requested = "/repos/acme/payments?branch_name=main&x=%22";
    for path in [requested, "/coverages-api", "/reports/1/", "/nothing"] {
        let request = ask(&server, Method::GET, path).header("accept", NAVIGATION);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 401);
        assert_eq!(header(&response, "www-authenticate"), "Bearer");
        assert_is_login_page(&response);
        let page = response.text().await.unwrap();
        let next = format!("name=\"next\" value=\"{}\"", path.replace('&', "&amp;"));
        assert!(page.contains(&next), "{next}: {page}");
        assert!(page.contains("<label for=\"token\">") && !page.contains("role=\"alert\""));
        assert!(
            !page.contains("<script") && !page.contains("payments <"),
            "{page}"
        );
    }
    let response = log_in(&server, &token, requested).await;
    assert_eq!(
        (response.status().as_u16(), header(&response, "location")),
        (303, requested)
    );
}

#[tokio::test]
async fn a_wrong_token_gets_the_form_with_an_error() {
    let server = protected(&[]).await;
    let revoked = read_token(&server).await;
    let store = server.store().await;
    let id = store.operator().tokens().await.unwrap()[0].id;
    assert!(
        store
            .operator()
            .revoke_token(id, &Actor::service())
            .await
            .unwrap()
    );
    let expired = make_token(&server, "old", Purpose::Read, Some(Timestamp(1))).await;
    for (token, sentence) in [
        ("", "Enter a read token."),
        (TOKEN, "This is not a read token of this service"),
        ("cov_x<b>", "This token is damaged"),
        (&revoked[..], "called reader, was revoked"),
        (&expired, "called old, expired on"),
    ] {
        let response = log_in(&server, token, "/x?y=\"z").await;
        assert_eq!(response.status(), 401, "{sentence}");
        assert_is_login_page(&response);
        assert_eq!(header(&response, "set-cookie"), "");
        let page = response.text().await.unwrap();
        assert!(page.contains(sentence), "{sentence}: {page}");
        assert!(page.contains("aria-invalid=\"true\"") && !page.contains("<b>"));
        assert!(page.contains("value=\"/x?y=&quot;z\""), "{page}");
        assert!(token.is_empty() || !page.contains(&format!("\"{token}\"")));
    }
}

#[tokio::test]
async fn a_login_never_redirects_to_another_host() {
    let server = protected(&[]).await;
    let token = read_token(&server).await;
    for next in [
        "",
        "//evil.example",
        "/\\evil.example",
        "\\/evil.example",
        "/\t/evil.example",
        "/\r\nLocation: https://evil.example",
        " https://evil.example",
        "https://evil.example",
        "javascript:alert(1)",
        "@evil.example",
        "/ü",
    ] {
        let response = log_in(&server, &token, next).await;
        assert_eq!(location(&response), "/", "{next:?}");
        let request = ask(&server, Method::GET, "/login").query(&[("next", next)]);
        let response = request.bearer_auth(&token).send().await.unwrap();
        assert_eq!(location(&response), "/", "{next:?}");
    }
    let requested = ask(&server, Method::GET, "//evil.example").header("accept", NAVIGATION);
    let page = requested.send().await.unwrap().text().await.unwrap();
    assert!(page.contains("name=\"next\" value=\"/\""), "{page}");
}

#[tokio::test]
async fn a_logged_in_reader_skips_the_login() {
    let server = protected(&[]).await;
    let token = read_token(&server).await;
    let response = read(&server, &token, "/login?next=/repos/acme/payments").await;
    assert_eq!(location(&response), "/repos/acme/payments");
    let page = server.get_text("/login?next=/repos/acme/payments").await;
    assert!(page.contains("value=\"/repos/acme/payments\""), "{page}");
}

#[tokio::test]
async fn refused_tokens_are_rate_limited_and_a_valid_one_still_works() {
    let server = protected(&["--failed-tries-per-address", "3"]).await;
    let token = read_token(&server).await;
    assert_eq!(log_in(&server, "wr0ng", "/").await.status(), 401);
    assert_eq!(read(&server, "wr0ng", "/").await.status(), 401);
    let cookie = || ask(&server, Method::GET, "/").header("cookie", format!("{COOKIE}=wr0ng"));
    assert_eq!(cookie().send().await.unwrap().status(), 401);

    let response = log_in(&server, "wr0ng", "/x").await;
    assert_eq!(response.status(), 429);
    assert!(!header(&response, "retry-after").is_empty());
    assert_is_login_page(&response);
    let page = response.text().await.unwrap();
    assert!(
        page.contains("Too many attempts from your address"),
        "{page}"
    );
    assert_eq!(read(&server, "wr0ng", "/").await.status(), 429);
    assert_eq!(cookie().send().await.unwrap().status(), 429);
    let (status, _) = Upload::of(Vec::new())
        .authorization(Some("wr0ng"))
        .refused(&server)
        .await;
    assert_eq!(status, 401, "uploads have their own rate limit");

    assert_eq!(
        strange(&server, "/").await.status(),
        401,
        "without any token"
    );
    assert_eq!(log_in(&server, &token, "/").await.status(), 303);
    assert_eq!(read(&server, &token, "/").await.status(), 200);
}

#[tokio::test]
async fn a_body_that_is_not_the_login_form_is_refused() {
    let server = protected(&[]).await;
    for body in [
        vec![b'x'; 20_000],
        b"token=\xff".to_vec(),
        b"token=%ff".to_vec(),
    ] {
        let request = ask(&server, Method::POST, "/login").body(body);
        let request = request.header(OURS.0, OURS.1);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 400);
        let problem: Value = response.json().await.unwrap();
        assert_eq!(problem["code"], "malformed_request");
    }
}
