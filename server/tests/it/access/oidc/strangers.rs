//! The service never calls a host that the operator did not list.

use super::{Scene, as_identity, upload};
use crate::harness::{IssuerBehaviour, SigningKey, TestIssuer, TestServer, Untouched};
use jsonwebtoken::encode;
use serde_json::json;

const UNREACHABLE: (u16, &str) = (502, "vcs_unreachable");

#[tokio::test]
async fn an_issuer_that_is_not_listed_is_named_and_never_called() {
    let (scene, trap) = (Scene::of("github").await, Untouched::listen());
    for (issuer, shown) in [
        (trap.url(), trap.url()),
        (format!("{}/", trap.url()), trap.url()),
        (
            format!("{}.evil.example", scene.issuer.url),
            "evil.example".to_owned(),
        ),
        (format!("{}/x", scene.issuer.url), "/x of this".to_owned()),
        (format!("{}//", scene.issuer.url), "// of this".to_owned()),
        (scene.issuer.url.to_uppercase(), "HTTP://".to_owned()),
        ("a\nb".to_owned(), "a\\nb".to_owned()),
        ("x".repeat(5_000), format!("{}…", "x".repeat(100))),
        (String::new(), "does not list".to_owned()),
    ] {
        let token = scene.token(json!({ "iss": issuer }));
        let sentence = scene.refuses(&token, 401, "invalid_token").await;
        assert!(sentence.contains(&shown), "{sentence}");
        assert!(sentence.contains("does not list") && sentence.len() < 300);
    }
    trap.assert_untouched();
    assert_eq!(scene.issuer.requests(), (0, 0));
}

#[tokio::test]
async fn no_issuer_is_called_if_none_is_listed() {
    let key = SigningKey::p256("k1");
    let issuer = TestIssuer::start(&[&key]).await;
    let server = TestServer::start().await;
    let token = key.token(&json!({ "iss": issuer.url }));
    let (status, problem) = as_identity(upload(), &token).refused(&server).await;
    assert_eq!(
        (status, problem["code"].as_str()),
        (401, Some("invalid_token"))
    );
    assert_eq!(issuer.requests(), (0, 0));
}

#[tokio::test]
async fn an_identity_is_never_sent_to_the_forge_its_client_names() {
    let (scene, trap) = (Scene::of("github").await, Untouched::listen());
    let good = as_identity(upload(), &scene.token(json!({})));
    good.with("vcs_api_url", &trap.url())
        .accepted(&scene.server)
        .await;
    let bad = upload().with("vcs_api_url", &trap.url());
    let stranger = scene.token(json!({ "iss": "https://ci.example.com" }));
    scene
        .refuses_upload(bad, &stranger, 401, "invalid_token")
        .await;
    trap.assert_untouched();
}

#[tokio::test]
async fn keys_outside_the_issuers_origin_are_never_fetched() {
    let trap = Untouched::listen();
    let trapped = trap.url();
    let port = trapped.rsplit(':').next().unwrap();
    for url in [
        format!("{trapped}/keys"),
        format!("http://localhost:{port}/keys"),
        format!("http://user@127.0.0.1:{port}/keys"),
        trapped.replace("http", "https"),
        "file:///etc/passwd".to_owned(),
        String::new(),
    ] {
        let scene = Scene::of("github").await;
        scene.issuer.behave(IssuerBehaviour::KeysAt(url));
        let token = scene.token(json!({}));
        scene.refuses(&token, UNREACHABLE.0, UNREACHABLE.1).await;
        trap.assert_untouched();
        assert_eq!(scene.issuer.requests(), (1, 0));
    }
}

#[tokio::test]
async fn redirects_of_an_issuer_are_not_followed() {
    let trap = Untouched::listen();
    for from in ["/.well-known/openid-configuration", "/keys"] {
        let scene = Scene::of("github").await;
        scene
            .issuer
            .behave(IssuerBehaviour::Redirecting(from, trap.url()));
        let token = scene.token(json!({}));
        scene.refuses(&token, UNREACHABLE.0, UNREACHABLE.1).await;
    }
    trap.assert_untouched();
}

#[tokio::test]
async fn key_addresses_inside_a_token_are_never_called() {
    let (scene, trap) = (Scene::of("github").await, Untouched::listen());
    let mut header = scene.key.header();
    header.jku = Some(format!("{}/keys", trap.url()));
    header.x5u = Some(format!("{}/certificate", trap.url()));
    let claims = scene.claims();
    let good = encode(&header, &claims, &scene.key.secret).unwrap();
    scene.accepts(&good).await;
    header.kid = Some("unknown".to_owned());
    let bad = encode(&header, &claims, &scene.key.secret).unwrap();
    scene.refuses(&bad, 401, "invalid_token").await;
    trap.assert_untouched();
}
