//! Invalid identities are refused, and nothing of a refused upload is kept.

use super::{Scene, as_identity, changed, upload};
use crate::harness::{Reachable, SigningKey, TestServer};
use jsonwebtoken::{Algorithm, EncodingKey, Header, crypto::sign, encode, get_current_timestamp};
use serde_json::{Value, json};

const INVALID: (u16, &str) = (401, "invalid_token");

/// Expects a 401 whose detail contains this text.
async fn refuses(scene: &Scene, token: &str, part: &str) {
    let sentence = scene.refuses(token, INVALID.0, INVALID.1).await;
    assert!(sentence.contains(part), "{sentence}");
}

/// Encodes a JSON value as the middle part of a token.
fn part(value: &Value) -> String {
    let any = EncodingKey::from_secret(b"any");
    let token = encode(&Header::default(), value, &any).unwrap();
    token.split('.').nth(1).unwrap().to_owned()
}

/// A token with any header, signed by the scene's key.
fn with_header(scene: &Scene, header: &Value) -> String {
    let message = format!("{}.{}", part(header), part(&scene.claims()));
    let signature = sign(message.as_bytes(), &scene.key.secret, scene.key.algorithm).unwrap();
    format!("{message}.{signature}")
}

#[tokio::test]
async fn an_unsigned_token_is_refused_whatever_it_claims() {
    let scene = Scene::of("github").await;
    let claims = part(&scene.claims());
    for algorithm in ["none", "None", "NONE", "nOnE", ""] {
        let header = part(&json!({ "typ": "JWT", "alg": algorithm, "kid": "k1" }));
        for signature in ["", "AAAA"] {
            let token = format!("{header}.{claims}.{signature}");
            refuses(&scene, &token, "signed with RS256 or ES256").await;
        }
    }
    let header = part(&json!({ "typ": "JWT", "kid": "k1" }));
    refuses(
        &scene,
        &format!("{header}.{claims}."),
        "signed with RS256 or ES256",
    )
    .await;
    let header = part(&json!({ "alg": "ES256", "kid": "k1" }));
    refuses(
        &scene,
        &format!("{header}.{claims}."),
        "not signed by its issuer",
    )
    .await;
    assert!(scene.server.records().await.is_empty() && scene.server.stored_files().is_empty());
}

#[tokio::test]
async fn a_public_key_is_not_accepted_as_an_hmac_secret() {
    let scene = Scene::with("github", SigningKey::rsa("r1"), &[]).await;
    let public = scene.key.public();
    let modulus = public["n"].as_str().unwrap();
    for algorithm in [Algorithm::HS256, Algorithm::HS384, Algorithm::HS512] {
        for secret in [
            EncodingKey::from_secret(public.to_string().as_bytes()),
            EncodingKey::from_secret(modulus.as_bytes()),
            EncodingKey::from_urlsafe_base64_secret(&format!("{modulus}==")).unwrap(),
        ] {
            let header = Header {
                alg: algorithm,
                ..scene.key.header()
            };
            let token = encode(&header, &scene.claims(), &secret).unwrap();
            refuses(&scene, &token, "signed with RS256 or ES256").await;
        }
    }
}

#[tokio::test]
async fn only_rs256_and_es256_are_accepted_even_if_the_signature_is_valid() {
    let scene = Scene::with("github", SigningKey::rsa("r1"), &[]).await;
    for algorithm in [
        Algorithm::RS384,
        Algorithm::RS512,
        Algorithm::PS256,
        Algorithm::PS512,
    ] {
        let header = Header {
            alg: algorithm,
            ..scene.key.header()
        };
        let token = encode(&header, &scene.claims(), &scene.key.secret).unwrap();
        refuses(&scene, &token, &format!("signed with {algorithm:?}")).await;
    }
    assert_eq!(scene.issuer.requests(), (0, 0), "no lookup");
}

#[tokio::test]
async fn a_key_is_used_only_with_its_own_algorithm() {
    let scene = Scene::of("github").await;
    let header = json!({ "alg": "RS256", "kid": "k1" });
    refuses(&scene, &with_header(&scene, &header), "has no such key").await;
}

#[tokio::test]
async fn a_signature_by_another_key_is_refused() {
    let scene = Scene::of("github").await;
    let same_name = SigningKey::p256("k1");
    let token = same_name.token(&scene.claims());
    refuses(&scene, &token, "not signed by its issuer").await;
    let good = scene.token(json!({}));
    let (rest, signature) = good.rsplit_once('.').unwrap();
    let (header, _) = rest.split_once('.').unwrap();
    let other = part(&changed(
        scene.claims(),
        json!({ "repository": "acme/other" }),
    ));
    let altered = format!("{header}.{other}.{signature}");
    refuses(&scene, &altered, "not signed by its issuer").await;
}

#[tokio::test]
async fn keys_inside_a_token_are_ignored() {
    let scene = Scene::of("github").await;
    let own = SigningKey::p256("own");
    for kid in ["k1", "own"] {
        let header = json!({ "alg": "ES256", "kid": kid, "jwk": own.public() });
        let message = format!("{}.{}", part(&header), part(&scene.claims()));
        let signature = sign(message.as_bytes(), &own.secret, own.algorithm).unwrap();
        scene
            .refuses(&format!("{message}.{signature}"), INVALID.0, INVALID.1)
            .await;
    }
    let harmless = json!({ "alg": "ES256", "kid": "k1", "jwk": own.public() });
    scene.accepts(&with_header(&scene, &harmless)).await;
}

#[tokio::test]
async fn critical_extensions_are_refused() {
    let scene = Scene::of("github").await;
    let header = json!({ "alg": "ES256", "kid": "k1", "crit": ["b64"], "b64": false });
    refuses(&scene, &with_header(&scene, &header), "`crit`").await;
}

#[tokio::test]
async fn an_expired_or_not_yet_valid_identity_is_refused_beyond_the_skew() {
    let scene = Scene::of("github").await;
    let now = get_current_timestamp();
    let expired = scene.token(json!({ "exp": now - 120 }));
    refuses(&scene, &expired, "has expired").await;
    let early = scene.token(json!({ "nbf": now + 180 }));
    refuses(&scene, &early, "not valid yet").await;
    let none = ["oidc_clock_skew_seconds", "0"];
    let scene = Scene::with("github", SigningKey::p256("k1"), &none).await;
    let expired = scene.token(json!({ "exp": now - 5 }));
    refuses(&scene, &expired, "has expired").await;
}

#[tokio::test]
async fn an_identity_without_an_expiry_is_refused() {
    let scene = Scene::of("github").await;
    for end in [json!(null), json!("tomorrow"), json!(-1)] {
        let token = scene.token(json!({ "exp": end }));
        refuses(&scene, &token, "`exp`").await;
    }
    let token = scene.token(json!({ "nbf": "now" }));
    refuses(&scene, &token, "`nbf`").await;
    let token = scene.token(json!({ "exp": [get_current_timestamp() + 300] }));
    refuses(&scene, &token, "cannot be read").await;
}

#[tokio::test]
async fn an_identity_for_another_audience_is_refused_with_the_right_one() {
    let scene = Scene::of("github").await;
    let own = scene.server.url("");
    for audience in [
        json!("https://github.com/acme"),
        json!(["https://other.example.com"]),
        json!([]),
        json!(""),
        json!(7),
        json!(null),
        json!(format!("{own}/x")),
        json!(format!("{own}.example.com")),
        json!(own.to_uppercase()),
    ] {
        let token = scene.token(json!({ "aud": audience }));
        refuses(&scene, &token, &format!("the audience {own}.")).await;
    }
}

#[tokio::test]
async fn a_token_without_a_key_id_is_refused_if_two_keys_fit() {
    let scene = Scene::of("github").await;
    scene.issuer.publish(&[&scene.key, &SigningKey::p256("k2")]);
    let token = with_header(&scene, &json!({ "alg": "ES256" }));
    refuses(&scene, &token, "has no such key").await;
}

#[tokio::test]
async fn an_overlong_identity_is_refused_before_any_lookup() {
    let scene = Scene::of("github").await;
    let token = scene.token(json!({ "padding": "x".repeat(20_000) }));
    refuses(&scene, &token, "larger than 16384 bytes").await;
    assert_eq!(scene.issuer.requests(), (0, 0));
}

#[tokio::test]
async fn identities_refused_too_often_are_429() {
    let scene = Scene::of("github").await;
    let listed = format!("github={}", scene.issuer.url);
    let arguments = ["--oidc-issuers", &listed, "--failed-tries-per-address", "3"];
    let server = TestServer::start_with(&arguments).await;
    let token = scene.token(json!({ "aud": server.url("") }));
    let wrong = || as_identity(upload().with("commit_hash", "c2"), &token);
    for _ in 0..3 {
        assert_eq!(wrong().refused(&server).await.0, 403);
    }
    let response = wrong().send(&server).await;
    assert_eq!(response.status(), 429);
    assert!(response.headers().contains_key("retry-after"));
}
