//! The keys of an issuer: how often they are fetched, how they change, and what happens while the issuer fails.

use super::{Scene, as_identity, changed, upload};
use crate::harness::{IssuerBehaviour, SigningKey, TestIssuer, TestServer};
use futures::future::join_all;
use serde_json::{Value, json};
use std::time::Duration;

const UNREACHABLE: (u16, &str) = (502, "vcs_unreachable");

/// A service that fetches the keys again for each check.
async fn scene_without_cache(arguments: &[&str]) -> Scene {
    let arguments = [&["oidc_keys_seconds", "0"], arguments].concat();
    Scene::with("github", SigningKey::p256("k1"), &arguments).await
}

#[tokio::test]
async fn keys_are_fetched_once_for_many_sequential_uploads() {
    let scene = Scene::of("github").await;
    for _ in 0..5 {
        scene.accepts(&scene.token(json!({}))).await;
    }
    assert_eq!(scene.issuer.requests(), (1, 1));
}

#[tokio::test]
async fn expired_keys_are_fetched_again() {
    let scene = scene_without_cache(&[]).await;
    for _ in 0..3 {
        scene.accepts(&scene.token(json!({}))).await;
    }
    assert_eq!(scene.issuer.requests(), (3, 3));
}

#[tokio::test]
async fn sixty_four_concurrent_uploads_fetch_the_keys_once() {
    let scene = Scene::of("github").await;
    scene.issuer.open(false);
    let token = scene.token(json!({}));
    let uploads = (0..64).map(|_| scene.accepts(&token));
    let opened = async {
        while scene.issuer.requests().0 == 0 {
            tokio::task::yield_now().await;
        }
        scene.issuer.open(true);
    };
    tokio::join!(join_all(uploads), opened);
    assert_eq!(scene.issuer.requests(), (1, 1));
}

#[tokio::test]
async fn a_new_key_is_fetched_when_a_token_names_it() {
    let scene = Scene::of("github").await;
    scene.accepts(&scene.token(json!({}))).await;
    let new = SigningKey::p256("k2");
    scene.issuer.publish(&[&scene.key, &new]);
    for _ in 0..3 {
        scene.accepts(&new.token(&scene.claims())).await;
        scene.accepts(&scene.token(json!({}))).await;
    }
    assert_eq!(scene.issuer.requests(), (2, 2));
}

#[tokio::test]
async fn a_withdrawn_key_is_refused_after_the_next_fetch() {
    let scene = Scene::of("github").await;
    scene.accepts(&scene.token(json!({}))).await;
    let new = SigningKey::p256("k2");
    scene.issuer.publish(&[&new]);
    scene.accepts(&new.token(&scene.claims())).await;
    scene
        .refuses(&scene.token(json!({})), 401, "invalid_token")
        .await;
}

#[tokio::test]
async fn a_flood_of_unknown_keys_causes_one_more_fetch() {
    let scene = Scene::of("github").await;
    scene.accepts(&scene.token(json!({}))).await;
    let tokens = (0..64).map(|number| {
        let mut key = scene.key.clone();
        key.id = format!("unknown {number}");
        key.token(&scene.claims())
    });
    let tokens: Vec<_> = tokens.collect();
    let refusals = tokens
        .iter()
        .map(|token| scene.refuses(token, 401, "invalid_token"));
    for sentence in join_all(refusals).await {
        assert!(
            sentence.contains("the key unknown ") && sentence.contains("try again"),
            "{sentence}"
        );
    }
    scene.accepts(&scene.token(json!({}))).await;
    assert_eq!(scene.issuer.requests(), (2, 2));
}

#[tokio::test]
async fn old_keys_stay_valid_while_their_issuer_fails() {
    for behaviour in [
        IssuerBehaviour::Failing,
        IssuerBehaviour::Text("{}"),
        IssuerBehaviour::Called("https://other.example.com".to_owned()),
        IssuerBehaviour::Honest,
    ] {
        let scene = scene_without_cache(&[]).await;
        scene.accepts(&scene.token(json!({}))).await;
        scene.issuer.publish_exactly(Vec::new());
        scene.issuer.behave(behaviour);
        scene.accepts(&scene.token(json!({}))).await;
        assert_eq!(scene.issuer.requests().0, 2);
        let mut unknown = scene.key.clone();
        unknown.id = "k2".to_owned();
        let unknown = unknown.token(&scene.claims());
        scene.refuses(&unknown, UNREACHABLE.0, UNREACHABLE.1).await;
    }
}

#[tokio::test]
async fn uploads_use_old_keys_while_one_of_them_fetches_new_ones() {
    let scene = scene_without_cache(&["vcs_call_seconds", "60"]).await;
    scene.accepts(&scene.token(json!({}))).await;
    scene.issuer.open(false);
    let token = scene.token(json!({}));
    let others = async {
        while scene.issuer.requests().0 == 1 {
            tokio::task::yield_now().await;
        }
        for _ in 0..3 {
            scene.accepts(&token).await;
        }
        scene.issuer.open(true);
    };
    tokio::join!(scene.accepts(&token), others);
    assert_eq!(scene.issuer.requests(), (2, 2));
}

#[tokio::test]
async fn a_failing_issuer_is_502_with_retry_after() {
    let quickly = ["vcs_call_seconds", "1"];
    let behaviours = [
        IssuerBehaviour::Failing,
        IssuerBehaviour::Endless,
        IssuerBehaviour::Large,
        IssuerBehaviour::Text("<html>"),
        IssuerBehaviour::Text("{\"keys\": {}}"),
        IssuerBehaviour::Called("https://other.example.com".to_owned()),
    ];
    join_all(behaviours.map(async |behaviour| {
        let scene = Scene::with("github", SigningKey::p256("k1"), &quickly).await;
        scene.issuer.behave(behaviour);
        let upload = as_identity(upload(), &scene.token(json!({})));
        let response = upload.send(&scene.server).await;
        assert_eq!(response.status(), UNREACHABLE.0);
        assert_eq!(response.headers()["retry-after"], "5");
        let problem: Value = response.json().await.unwrap();
        assert_eq!(problem["code"], UNREACHABLE.1);
        let sentence = problem["detail"].as_str().unwrap();
        assert!(
            sentence.contains(&scene.issuer.url) && !sentence.contains("other.example.com"),
            "{sentence}"
        );
    }))
    .await;
}

#[tokio::test]
async fn an_issuer_without_a_usable_key_is_502() {
    let scene = Scene::of("github").await;
    let mut encrypting = scene.key.public();
    encrypting["use"] = json!("enc");
    for keys in [
        vec![],
        vec![json!({ "kty": "oct", "k": "AAAA", "kid": "k1" })],
        vec![encrypting],
    ] {
        scene.issuer.publish_exactly(keys);
        let token = scene.token(json!({}));
        scene.refuses(&token, UNREACHABLE.0, UNREACHABLE.1).await;
    }
}

#[tokio::test]
async fn uploads_during_an_issuer_failure_share_one_failed_fetch() {
    let scene = Scene::of("github").await;
    scene.issuer.behave(IssuerBehaviour::Failing);
    scene.issuer.open(false);
    let token = scene.token(json!({}));
    let uploads = (0..16).map(|_| scene.refuses(&token, UNREACHABLE.0, UNREACHABLE.1));
    let opened = async {
        while scene.issuer.requests().0 == 0 {
            tokio::task::yield_now().await;
        }
        scene.issuer.open(true);
    };
    tokio::join!(join_all(uploads), opened);
    let (discoveries, key_sets) = scene.issuer.requests();
    assert!(
        (1..16).contains(&discoveries) && key_sets == 0,
        "{discoveries}"
    );
}

#[tokio::test]
async fn an_issuer_that_recovers_is_used_again() {
    let scene = Scene::of("github").await;
    scene.issuer.behave(IssuerBehaviour::Failing);
    let token = scene.token(json!({}));
    scene.refuses(&token, UNREACHABLE.0, UNREACHABLE.1).await;
    scene.issuer.behave(IssuerBehaviour::Honest);
    loop {
        let response = as_identity(upload(), &token).send(&scene.server).await;
        if response.status() == 201 {
            break;
        }
        assert_eq!(response.status(), UNREACHABLE.0);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test]
async fn an_issuer_that_is_down_does_not_block_another_issuer() {
    let (key, other) = (SigningKey::p256("k1"), SigningKey::p256("k1"));
    let down = TestIssuer::start(&[&other]).await;
    down.behave(IssuerBehaviour::Failing);
    let up = TestIssuer::start(&[&key]).await;
    let listed = format!("github={},github={}", down.url, up.url);
    let server = TestServer::start_with(&["--oidc-issuers", &listed]).await;
    let scene = Scene {
        issuer: up,
        server,
        key,
    };
    let of_down = other.token(&changed(scene.claims(), json!({ "iss": down.url })));
    scene.refuses(&of_down, UNREACHABLE.0, UNREACHABLE.1).await;
    scene.accepts(&scene.token(json!({}))).await;
    let forged = other.token(&scene.claims());
    scene.refuses(&forged, 401, "invalid_token").await;
}
