//! Issuers that misbehave, and people who try too often.

use super::*;
use crate::harness::{CLIENT, Untouched};

/// Tries to log in at an issuer with faults: the status and the page.
async fn tried(scene: &Scene, faults: &[LoginFault]) -> (u16, String) {
    scene.issuer.misbehave(faults);
    let response = scene.log_in("/").await;
    assert_eq!(session_of(&response), None, "{faults:?}");
    assert_eq!(
        header(&response, "content-type"),
        "text/html; charset=utf-8"
    );
    (response.status().as_u16(), response.text().await.unwrap())
}

#[tokio::test]
async fn an_identity_that_violates_a_rule_starts_no_session() {
    let scene = Scene::with(&[]).await;
    let claims = |changes: Value| vec![LoginFault::Claims(changes)];
    for (faults, sentence) in [
        (
            claims(json!({ "nonce": "another" })),
            "was not made for this login",
        ),
        (
            claims(json!({ "nonce": null })),
            "was not made for this login",
        ),
        (claims(json!({ "aud": "another" })), "is for another client"),
        (
            claims(json!({ "aud": [CLIENT, "other"] })),
            "is for several clients",
        ),
        (
            claims(json!({ "azp": "other" })),
            "was made for another client",
        ),
        (
            claims(json!({ "iss": "https://evil.example" })),
            "is of another issuer",
        ),
        (claims(json!({ "sub": null })), "has no `sub`"),
        (claims(json!({ "sub": "x".repeat(256) })), "has no `sub`"),
        (claims(json!({ "exp": null })), "lacks a claim"),
        (vec![LoginFault::Signature], "has a wrong signature"),
        (
            vec![LoginFault::Clock(-3_600)],
            "has expired already, so its clock",
        ),
        (
            vec![LoginFault::Clock(3_600)],
            "is not valid yet, so its clock",
        ),
        (
            vec![LoginFault::Exchange(500, String::new())],
            "it answered 500",
        ),
        (
            vec![LoginFault::Exchange(302, String::new())],
            "cannot be asked who you are",
        ),
        (
            vec![LoginFault::Exchange(200, "<html>".to_owned())],
            "cannot be asked who you are",
        ),
        (
            vec![LoginFault::Exchange(200, "{}".to_owned())],
            "it sent no identity",
        ),
        (
            vec![LoginFault::Exchange(
                200,
                json!({ "id_token": "a.b.c" }).to_string(),
            )],
            "is of another issuer",
        ),
        (
            vec![LoginFault::Exchange(200, " ".repeat(1 << 20))],
            "cannot be asked who you are",
        ),
        (
            vec![LoginFault::Exchange(
                400,
                json!({ "error": "invalid_client" }).to_string(),
            )],
            "does not accept LOGIN_CLIENT_ID",
        ),
    ] {
        let (status, page) = tried(&scene, &faults).await;
        assert_eq!(status, 502, "{faults:?}: {page}");
        assert!(page.contains(sentence), "{faults:?}: {page}");
    }
    let (status, page) = tried(&scene, &[LoginFault::Denied("access_denied")]).await;
    assert!(status == 401 && page.contains("(access_denied)"), "{page}");
    let (status, page) = tried(&scene, &[LoginFault::Denied("%3Cb%3E%E2%80%AE")]).await;
    assert!(
        status == 401 && page.contains("(&lt;b&gt;\\u{202e})"),
        "{page}"
    );
    scene.issuer.misbehave(&[LoginFault::Clock(-300)]);
    let expired_but_within_the_leeway = scene.log_in("/").await;
    assert_eq!(expired_but_within_the_leeway.status(), 303);
}

#[tokio::test]
async fn people_log_in_after_the_issuer_has_changed_its_keys() {
    let scene = Scene::with(&[]).await;
    scene.session().await;
    scene.issuer.change_key("k2");
    scene.session().await;
    assert_eq!(scene.issuer.requests("/keys"), 2);
    assert_eq!(
        scene.issuer.requests("/.well-known/openid-configuration"),
        3
    );
}

#[tokio::test]
async fn many_groups_are_read_and_too_many_are_explained() {
    let scene = Scene::with(&["--read-orgs", "acme=g999"]).await;
    let groups = |count: usize| {
        (0..count)
            .map(|number| format!("g{number}"))
            .collect::<Vec<_>>()
    };
    scene
        .issuer
        .logs_in(json!({ "sub": "kim-1", "groups": groups(5_000) }));
    scene.session().await;
    let sessions = scene.server.store().await.sessions().await.unwrap();
    assert_eq!(
        sessions[0].groups,
        ["g999"],
        "only those that count are stored"
    );
    let long = vec!["x".repeat(100); 1_000];
    scene
        .issuer
        .logs_in(json!({ "sub": "kim-1", "groups": long }));
    let (status, page) = tried(&scene, &[]).await;
    assert!(status == 502 && page.contains("too large"), "{page}");
    // Microsoft Entra leaves the groups of members of more than 200 out.
    scene
        .issuer
        .logs_in(json!({ "sub": "kim-1", "_claim_names": { "groups": "src1" } }));
    let (status, page) = tried(&scene, &[]).await;
    assert!(
        status == 502 && page.contains("you have too many groups"),
        "{page}"
    );
}

#[tokio::test]
async fn only_listed_hosts_are_called() {
    let untouched = Untouched::listen();
    let elsewhere = format!("{}/token", untouched.url());
    let scene = Scene::with(&[]).await;
    scene.issuer.misbehave(&[LoginFault::Discovery(
        json!({ "token_endpoint": elsewhere }),
    )]);
    let (status, page) = tried(
        &scene,
        &[LoginFault::Discovery(
            json!({ "token_endpoint": elsewhere }),
        )],
    )
    .await;
    assert!(
        status == 502 && page.contains("cannot be asked who you are"),
        "{page}"
    );
    untouched.assert_untouched();
}

#[tokio::test]
async fn an_issuer_that_is_down_or_another_one_is_a_sentence_and_not_an_error_page() {
    for changes in [
        json!({ "issuer": "https://evil.example" }),
        json!({ "authorization_endpoint": null }),
        json!({ "authorization_endpoint": "javascript:alert(1)" }),
        json!({ "authorization_endpoint": "http://evil.example/" }),
        json!({ "jwks_uri": 7 }),
    ] {
        let scene = Scene::with(&[]).await;
        scene
            .issuer
            .misbehave(&[LoginFault::Discovery(changes.clone())]);
        let request = ask(&scene.server, Method::GET, "/login/start").header("accept", NAVIGATION);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 502, "{changes}");
        let page = response.text().await.unwrap();
        assert!(
            page.contains("role=\"alert\"") && page.contains("Use a read token"),
            "{page}"
        );
    }
    let scene = Scene::with(&[]).await;
    let Scene { issuer, server } = scene;
    drop(issuer);
    let response = strange(&server, "/login/start").await;
    assert_eq!(
        (response.status().as_u16(), header(&response, "retry-after")),
        (502, "5")
    );
    assert_eq!(server.get("/coverages-api/health").await.status(), 200);
}

#[tokio::test]
async fn a_secret_is_sent_the_way_the_issuer_wants_it() {
    let scene = Scene::with(&[]).await;
    scene.issuer.misbehave(&[LoginFault::SecretInBody]);
    scene.session().await;
}

#[tokio::test]
async fn someone_who_fails_too_often_must_wait() {
    let issuer = LoginIssuer::start().await;
    let flags = [&issuer.flags()[..], &["--failed-tries-per-address", "3"]].concat();
    let server = TestServer::start_with(&flags).await;
    let scene = Scene { issuer, server };
    let invalid = json!({ "error": "invalid_grant" }).to_string();
    scene
        .issuer
        .misbehave(&[LoginFault::Exchange(500, String::new())]);
    for _ in 0..5 {
        assert_eq!(scene.log_in("/").await.status(), 502, "the issuer's fault");
        let foreign = scene
            .come_back("/login/callback?code=a&state=bbbbbbbb", "")
            .await;
        assert_eq!(foreign.status(), 401, "any page can cause this");
    }
    scene
        .issuer
        .misbehave(&[LoginFault::Exchange(400, invalid)]);
    for _ in 0..3 {
        assert_eq!(scene.log_in("/").await.status(), 401);
    }
    let calls = scene.issuer.requests("/token");
    let (cookie, address) = scene.start("/").await;
    let path = scene.at_issuer(&address).await;
    let response = scene.come_back(&path, &cookie).await;
    assert_eq!(response.status(), 429);
    assert_eq!(
        header(&response, "set-cookie"),
        "",
        "the same address works later"
    );
    assert_eq!(scene.issuer.requests("/token"), calls);
}
