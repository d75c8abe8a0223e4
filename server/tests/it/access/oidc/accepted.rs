//! Identities that may upload.

use super::{Scene, as_identity, upload};
use crate::harness::{Reachable, SigningKey};
use jsonwebtoken::{encode, get_current_timestamp};
use serde_json::{Value, json};

/// The claims that turn an identity of GitHub into one of GitLab.
fn of_gitlab() -> Value {
    json!({
        "repository": null, "event_name": null, "actor": null,
        "project_path": "acme/payments", "ref": "main", "ref_type": "branch", "user_login": "kim",
    })
}

#[tokio::test]
async fn github_gitea_and_forgejo_jobs_upload_without_a_secret() {
    for kind in ["github", "gitea", "forgejo"] {
        let scene = Scene::of(kind).await;
        let answer = scene.accepts(&scene.token(json!({}))).await;
        assert_eq!(answer["coverage"]["percentage"], 50.0);
        assert_eq!(scene.issuer.requests(), (1, 1));
    }
}

#[tokio::test]
async fn gitlab_jobs_upload_without_a_secret() {
    let scene = Scene::of("gitlab").await;
    scene.accepts(&scene.token(of_gitlab())).await;
}

#[tokio::test]
async fn jobs_of_any_listed_issuer_upload_with_the_configured_claims() {
    let names = "repository=repo,ref=build_branch,sha=build_commit";
    let key = SigningKey::p256("k1");
    let scene = Scene::with("other", key, &["--oidc-claims", names]).await;
    for branch in ["main", "refs/heads/main"] {
        let claims = json!({
            "repository": null, "ref": null, "sha": null,
            "repo": "acme/payments", "build_branch": branch, "build_commit": "c1",
        });
        scene.accepts(&scene.token(claims)).await;
    }
}

#[tokio::test]
async fn rs256_identities_are_accepted_from_every_kind_of_issuer() {
    for (kind, changes) in [
        ("github", json!({})),
        ("gitlab", of_gitlab()),
        ("other", json!({})),
    ] {
        let scene = Scene::with(kind, SigningKey::rsa("r1"), &[]).await;
        scene.accepts(&scene.token(changes)).await;
    }
}

#[tokio::test]
async fn the_audience_may_be_one_of_several_and_end_with_a_slash() {
    let key = SigningKey::p256("k1");
    let public_url = ["--public-url", "https://coverage.example.com/"];
    let scene = Scene::with("github", key, &public_url).await;
    for audience in [
        json!("https://coverage.example.com"),
        json!("https://coverage.example.com/"),
        json!(["https://coverage.example.com"]),
        json!(["https://other.example.com", "https://coverage.example.com/"]),
    ] {
        scene
            .accepts(&scene.token(json!({ "aud": audience })))
            .await;
    }
}

#[tokio::test]
async fn an_issuer_url_matches_with_or_without_a_trailing_slash() {
    let scene = Scene::of("github").await;
    let with_slash = format!("{}/", scene.issuer.url);
    scene
        .accepts(&scene.token(json!({ "iss": with_slash })))
        .await;
}

#[tokio::test]
async fn clocks_may_differ_by_the_configured_skew() {
    let now = get_current_timestamp();
    let scene = Scene::of("github").await;
    scene
        .accepts(&scene.token(json!({ "exp": now - 20 })))
        .await;
    scene
        .accepts(&scene.token(json!({ "nbf": now + 50 })))
        .await;
    let skew = ["oidc_clock_skew_seconds", "3600"];
    let scene = Scene::with("github", SigningKey::p256("k1"), &skew).await;
    let changes = json!({ "nbf": now + 3_000, "exp": now - 3_000 });
    scene.accepts(&scene.token(changes)).await;
}

#[tokio::test]
async fn a_token_without_a_key_id_is_accepted_if_one_key_fits() {
    let scene = Scene::of("github").await;
    let mut header = scene.key.header();
    header.kid = None;
    let token = encode(&header, &scene.claims(), &scene.key.secret).unwrap();
    scene.issuer.publish(&[&scene.key, &SigningKey::rsa("r1")]);
    scene.accepts(&token).await;
}

#[tokio::test]
async fn every_way_of_sending_an_identity_in_the_header_works() {
    let scene = Scene::of("github").await;
    let token = scene.token(json!({}));
    for value in [
        token.clone(),
        format!("bearer {token}"),
        format!("token {token}"),
    ] {
        let upload = upload().authorization(Some(&value));
        upload.accepted(&scene.server).await;
    }
}

#[tokio::test]
async fn the_ledger_names_the_identity_and_never_contains_its_token() {
    let scene = Scene::of("github").await;
    let token = scene.token(json!({}));
    scene.accepts(&token).await;
    let refused = as_identity(upload().with("commit_hash", "c2"), &token);
    refused.refused(&scene.server).await;
    let rows = scene
        .server
        .store()
        .await
        .writer()
        .ledger(10)
        .await
        .unwrap();
    let host = scene.issuer.url.trim_start_matches("http://");
    assert_eq!(
        rows[1].token_name,
        Some(format!("Actions of acme/payments at {host} (kim)"))
    );
    assert_eq!((rows[1].status, rows[1].token_id), (201, None));
    assert_eq!((rows[0].status, rows[0].token_name.as_ref()), (403, None));
    let parts: Vec<_> = token.split('.').collect();
    assert!(parts.iter().all(|part| !format!("{rows:?}").contains(part)));
}

#[tokio::test]
async fn the_page_of_the_run_is_that_of_the_identity() {
    for (kind, claims, path) in [
        (
            "github",
            json!({ "run_id": "17" }),
            "acme/payments/actions/runs/17",
        ),
        (
            "gitlab",
            json!({ "project_path": "acme/payments", "ref": "main", "ref_type": "branch", "job_id": 18 }),
            "acme/payments/-/jobs/18",
        ),
    ] {
        let scene = Scene::of(kind).await;
        let token = scene.token(claims);
        let upload = upload().with("run_url", "https://elsewhere.example.com/1");
        let answer = as_identity(upload, &token).accepted(&scene.server).await;
        let page = format!("/records/{}", answer["coverage"]["id"]);
        let html = scene.server.get(&page).await.text().await.unwrap();
        let link = format!("href=\"{}/{path}\"", scene.issuer.url);
        assert!(html.contains(&link), "{kind}: no {link} in {html}");
        assert!(!html.contains("elsewhere.example.com"), "{html}");
    }
}
