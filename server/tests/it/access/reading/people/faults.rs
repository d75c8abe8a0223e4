//! Issuers that misbehave.

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
            "is from another issuer",
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
            "cannot confirm who you are",
        ),
        (
            vec![LoginFault::Exchange(200, "<html>".to_owned())],
            "cannot confirm who you are",
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
            "is from another issuer",
        ),
        (
            vec![LoginFault::Exchange(200, " ".repeat(1 << 20))],
            "cannot confirm who you are",
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
    for (status, text, sentence) in [
        (
            400,
            json!({ "error": "invalid_request" }).to_string(),
            "(invalid_request)",
        ),
        (400, json!({ "error": "<b>" }).to_string(), "(&lt;b&gt;)"),
        (404, "not JSON".to_owned(), "(it answered 404)"),
    ] {
        let (status, page) = tried(&scene, &[LoginFault::Exchange(status, text)]).await;
        assert!(
            status == 401 && page.contains(sentence),
            "{sentence}: {page}"
        );
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
    let sessions = scene
        .server
        .store()
        .await
        .operator()
        .sessions()
        .await
        .unwrap();
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
        status == 502 && page.contains("cannot confirm who you are"),
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
    let page = response.text().await.unwrap();
    assert!(page.contains("cannot confirm who you are"), "{page}");
    assert_eq!(server.get("/coverages-api/health").await.status(), 200);
}

#[tokio::test]
async fn an_old_discovery_document_is_used_if_the_issuer_is_down() {
    let scene = Scene::with(&["oidc_keys_seconds", "0"]).await;
    scene.start("/").await;
    let evil = json!({ "issuer": "https://evil.example" });
    scene.issuer.misbehave(&[LoginFault::Discovery(evil)]);
    let before = scene.issuer.requests("/.well-known/openid-configuration");
    for _ in 0..3 {
        scene.start("/").await;
    }
    assert_eq!(
        scene.issuer.requests("/.well-known/openid-configuration"),
        before + 1,
        "a failure is followed by a pause"
    );
}

#[tokio::test]
async fn an_issuer_that_names_itself_must_do_so_in_each_answer() {
    let scene = Scene::with(&[]).await;
    let member = "authorization_response_iss_parameter_supported";
    scene
        .issuer
        .misbehave(&[LoginFault::Discovery(json!({ member: true }))]);
    let (cookie, address) = scene.start("/").await;
    let path = scene.at_issuer(&address).await;
    let (without, _) = path.split_once("&iss=").unwrap();
    let response = scene.come_back(without, &cookie).await;
    assert_eq!(
        (response.status().as_u16(), session_of(&response)),
        (401, None)
    );
    assert!(session_of(&scene.come_back(&path, &cookie).await).is_some());
}

#[tokio::test]
async fn a_database_that_fails_is_a_sentence_and_not_an_error_page() {
    let scene = Scene::with(&[]).await;
    let session = scene.session().await;
    let mut database = scene.server.database().await;
    sqlx::query("alter table sessions rename to lost")
        .execute(&mut database)
        .await
        .unwrap();
    let (status, page) = tried(&scene, &[]).await;
    assert!(status == 503 && page.contains("role=\"alert\""), "{page}");
    // A browser is logged out even then.
    let logout = ask(&scene.server, Method::POST, "/logout").header("cookie", &session);
    let response = logout.header(OURS.0, OURS.1).send().await.unwrap();
    assert_eq!(response.status(), 503);
    assert!(header(&response, "set-cookie").contains("coverage-reader=; "));
    assert_eq!(header(&response, "clear-site-data"), "\"storage\"");
    let problem = response.text().await.unwrap();
    assert!(problem.contains("copies of its cookie"), "{problem}");
    // Nor does a session that cannot be ended prevent a login with a token.
    let token = read_token(&scene.server).await;
    let login = login::form(&scene.server, &token, "/").header("cookie", &session);
    assert_eq!(login.send().await.unwrap().status(), 303);
}

#[tokio::test]
async fn a_secret_is_sent_the_way_the_issuer_wants_it() {
    let scene = Scene::with(&[]).await;
    scene.issuer.misbehave(&[LoginFault::SecretInBody]);
    scene.session().await;
}
