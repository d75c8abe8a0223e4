//! The session of a browser, from its login to its end.

use super::{
    login::{OURS, log_in},
    *,
};

async fn cookie(server: &TestServer, token: &str) -> String {
    let response = log_in(server, token, "/").await;
    header(&response, "set-cookie").to_owned()
}

#[tokio::test]
async fn the_cookie_is_hidden_from_scripts_and_other_sites() {
    let server = protected(&["--session-seconds", "600"]).await;
    let token = read_token(&server).await;
    assert_eq!(
        cookie(&server, &token).await,
        format!("{COOKIE}={token}; Path=/; Max-Age=600; HttpOnly; SameSite=Lax")
    );
    let server = protected(&["--public-url", "https://coverage.example.com"]).await;
    let token = read_token(&server).await;
    assert_eq!(
        cookie(&server, &token).await,
        format!("__Host-{COOKIE}={token}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure")
    );
    for (name, status) in [("__Host-coverage-reader", 200), (COOKIE, 401)] {
        let request = ask(&server, Method::GET, "/coverages-api");
        let request = request.header("cookie", format!("{name}={token}"));
        assert_eq!(request.send().await.unwrap().status(), status, "{name}");
    }
}

#[tokio::test]
async fn a_session_ends_when_its_token_is_revoked() {
    let server = protected(&[]).await;
    let revoked = read_token(&server).await;
    let with = async |token: &str| {
        let request = ask(&server, Method::GET, "/").header("accept", NAVIGATION);
        let request = request.header("cookie", format!("{COOKIE}={token}"));
        request.send().await.unwrap()
    };
    assert_eq!(with(&revoked).await.status(), 200);
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
    for token in [&revoked, &expired] {
        let response = with(token).await;
        assert_eq!(response.status(), 401);
        assert_eq!(
            header(&response, "set-cookie"),
            format!("{COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"),
            "so that the browser does not show it again"
        );
        let page = response.text().await.unwrap();
        assert!(page.contains("role=\"alert\""), "{page}");
    }
}

#[tokio::test]
async fn a_logged_in_browser_can_log_out() {
    let server = protected(&[]).await;
    let token = read_token(&server).await;
    let cookie = cookie(&server, &token).await;
    let (cookie, _) = cookie.split_once(';').unwrap();
    let request = ask(&server, Method::GET, "/").header("cookie", cookie);
    let page = request.send().await.unwrap().text().await.unwrap();
    assert!(page.contains("action=\"/logout\""), "{page}");
    let page = read(&server, &token, "/").await.text().await.unwrap();
    assert!(!page.contains("/logout"), "nothing to log out of: {page}");

    let request = ask(&server, Method::POST, "/logout").header("cookie", cookie);
    let request = request.header(OURS.0, OURS.1);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 303);
    assert_eq!(location(&response), "/");
    assert!(header(&response, "set-cookie").starts_with(&format!("{COOKIE}=; Path=/; Max-Age=0")));
    assert_eq!(header(&response, "clear-site-data"), "\"storage\"");
}

#[tokio::test]
async fn the_last_use_of_a_read_token_is_recorded() {
    let server = protected(&[]).await;
    let token = read_token(&server).await;
    let store = server.store().await;
    assert_eq!(
        store.operator().tokens().await.unwrap()[0].last_used_at,
        None
    );
    assert_eq!(read(&server, &token, "/").await.status(), 200);
    // It is written in the background, so wait for it.
    while store.operator().tokens().await.unwrap()[0]
        .last_used_at
        .is_none()
    {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn forms_of_other_sites_cannot_log_in_or_out() {
    let server = protected(&["--public-url", "http://coverage.example.com"]).await;
    let token = read_token(&server).await;
    let sent = async |path: &str, headers: &[(&str, &str)]| {
        let request = ask(&server, Method::POST, path).body(format!("token={token}"));
        let request = headers.iter().fold(request, |request, (name, value)| {
            request.header(*name, *value)
        });
        request.send().await.unwrap()
    };
    for path in ["/login", "/logout"] {
        for headers in [
            &[("sec-fetch-site", "cross-site")][..],
            &[("sec-fetch-site", "same-site")],
            &[("sec-fetch-site", "none")],
            &[],
            &[("origin", "null")],
            &[("origin", "http://reports.coverage.example.com")],
            &[("origin", "https://coverage.example.com")],
            &[
                ("sec-fetch-site", "same-site"),
                ("origin", "http://coverage.example.com"),
            ],
        ] {
            let response = sent(path, headers).await;
            assert_eq!(response.status(), 403, "{path} {headers:?}");
            assert_eq!(header(&response, "set-cookie"), "");
            let problem: Value = response.json().await.unwrap();
            assert_eq!(problem["code"], "form_of_another_site");
        }
        // Browsers without Fetch Metadata, at each of the dashboard's addresses.
        for origin in ["http://coverage.example.com", server.url("").as_str()] {
            let response = sent(path, &[("origin", origin)]).await;
            assert_eq!(response.status(), 303, "{path} {origin}");
            assert_ne!(header(&response, "set-cookie"), "");
        }
    }
}
