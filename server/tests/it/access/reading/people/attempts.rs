//! Attempts that are too many, interrupted, or repeated.

use super::*;
use crate::harness::LoginFault::{Exchange, Waiting};
use std::time::Duration;
use tokio::{select, time::sleep};

/// A service at which three attempts may fail.
async fn limited(arguments: &[&str]) -> Scene {
    let issuer = LoginIssuer::start().await;
    let own = ["--failed-tries-per-address", "3"];
    let flags = [&issuer.flags()[..], &own, arguments].concat();
    let server = TestServer::start_with(&flags).await;
    Scene { issuer, server }
}

fn invalid(error: &str) -> LoginFault {
    Exchange(400, json!({ "error": error }).to_string())
}

#[tokio::test]
async fn someone_who_fails_too_often_must_wait() {
    let scene = limited(&[]).await;
    for fault in [
        Exchange(500, String::new()),
        Exchange(429, String::new()),
        invalid("invalid_client"),
    ] {
        scene.issuer.misbehave(&[fault]);
        for _ in 0..5 {
            assert_eq!(scene.log_in("/").await.status(), 502, "the issuer's fault");
            let foreign = scene
                .come_back("/login/callback?code=a&state=bbbbbbbb", "")
                .await;
            assert_eq!(foreign.status(), 401, "any page can cause this");
        }
    }
    for fault in [
        invalid("invalid_grant"),
        invalid("odd"),
        Exchange(404, String::new()),
    ] {
        scene.issuer.misbehave(&[fault]);
        assert_eq!(scene.log_in("/").await.status(), 401);
    }
    let calls = scene.issuer.requests("/token");
    let response = scene.log_in("/repos/acme/payments").await;
    assert_eq!(response.status(), 429);
    assert_eq!(
        header(&response, "set-cookie"),
        "",
        "the same address works later"
    );
    let page = response.text().await.unwrap();
    assert!(
        page.contains("Too many attempts from your address have failed; try again in"),
        "{page}"
    );
    assert!(page.contains("next=%2Frepos%2Facme%2Fpayments"), "{page}");
    assert_eq!(scene.issuer.requests("/token"), calls);
}

#[tokio::test]
async fn a_failure_counts_even_if_the_browser_disconnects() {
    let scene = limited(&["concurrent_vcs_calls_per_address", "1"]).await;
    scene.issuer.misbehave(&[Waiting, invalid("invalid_grant")]);
    for number in 1..=3 {
        let (cookie, address) = scene.start("/").await;
        let path = scene.at_issuer(&address).await;
        let asked = async {
            while scene.issuer.requests("/token") < number {
                sleep(Duration::from_millis(1)).await;
            }
        };
        select! {
            _ = scene.come_back(&path, &cookie) => panic!("the issuer has not answered"),
            () = asked => {}
        }
        // The service notices that the browser has gone.
        scene.server.get("/coverages-api/health").await;
        scene.issuer.release();
    }
    // This one waits for the permit of the one before, which is released after counting.
    assert_eq!(scene.log_in("/").await.status(), 429);
    assert_eq!(scene.issuer.requests("/token"), 3);
}

#[tokio::test]
async fn a_failed_login_continues_where_the_person_wanted() {
    let scene = Scene::with(&[]).await;
    scene
        .issuer
        .misbehave(&[LoginFault::Denied("access_denied")]);
    let page = scene.log_in("/uploads").await.text().await.unwrap();
    assert!(page.contains("/login/start?next=%2Fuploads"), "{page}");
}

#[tokio::test]
async fn a_head_request_does_not_use_up_the_code() {
    let scene = Scene::with(&[]).await;
    let session = scene.session().await;
    let (cookie, address) = scene.start("/").await;
    let path = scene.at_issuer(&address).await;
    let both = format!("{cookie}; {session}");
    let head = ask(&scene.server, Method::HEAD, &path).header("cookie", &both);
    let head = head.send().await.unwrap();
    assert_eq!(
        (head.status().as_u16(), header(&head, "allow")),
        (405, "GET")
    );
    assert!(session_of(&scene.come_back(&path, &both).await).is_some());
}

#[tokio::test]
async fn a_browser_keeps_the_newest_attempts_only() {
    let scene = Scene::with(&[]).await;
    let cookies = ["aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd"];
    let cookies = cookies.map(|start| format!("coverage-login-{start}=x"));
    let request = ask(&scene.server, Method::GET, "/login/start");
    let request = request.header("cookie", format!("a=b; {}; c=d", cookies.join("; ")));
    let response = request.send().await.unwrap();
    let set = response.headers().get_all("set-cookie").iter();
    let set: Vec<_> = set.map(|cookie| cookie.to_str().unwrap()).collect();
    assert_eq!(set.len(), 3, "{set:?}");
    assert!(set[0].starts_with("coverage-login-aaaaaaaa=; "), "{set:?}");
    assert!(set[1].starts_with("coverage-login-bbbbbbbb=; "), "{set:?}");
    assert!(set[2].contains("; Max-Age=600; "), "{set:?}");
}
