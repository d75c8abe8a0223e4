//! Uploads with the identity of a job.

use super::{COMMIT, LCOV, UPLOAD, payload, put, record, refusal, server_with, stated};
use crate::harness::{Reachable, SigningKey, TestIssuer, TestServer};
use jsonwebtoken::get_current_timestamp;
use serde_json::{Value, json};

#[tokio::test]
async fn an_identity_uploads_only_with_our_audience_and_for_its_own_repository_and_commit() {
    let key = SigningKey::p256("k1");
    let issuer = TestIssuer::start(&[&key]).await;
    let listed = format!("github={}", issuer.url);
    let tries = ["--failed-tries-per-address", "1000"];
    let server = server_with(&[&["--oidc-issuers", &listed][..], &tries].concat()).await;
    let now = get_current_timestamp();
    let send = async |server: &TestServer, name: &str, value: &str| {
        let mut identity = json!({
            "iss": issuer.url, "aud": server.url("/"), "iat": now, "nbf": now, "exp": now + 300,
            "repository": "acme/payments", "ref": "refs/heads/feature", "sha": COMMIT, "event_name": "push", "actor": "kim",
        });
        identity[name] = json!(value);
        let request = server.client.post(server.url(UPLOAD)).json(&stated());
        let token = format!("token {}", key.token(&identity));
        request.header("authorization", token).send().await.unwrap()
    };
    for (name, value, expected, word) in [
        ("aud", "https://codecov.io", 401, "audience"),
        ("repository", "acme/billing", 403, "acme/billing"),
        ("ref", "refs/heads/other", 403, "other"),
        ("sha", &"e".repeat(40), 403, "eeee"),
        ("iss", "https://issuer.example.com", 401, "issuer"),
    ] {
        let (status, why) = refusal(send(&server, name, value).await).await;
        assert_eq!(status, expected, "{name}: {why}");
        assert!(why.contains(word), "{name}: {why}");
    }
    let kept = "select count(*) from foreign_requests";
    let kept = sqlx::query_scalar::<_, i64>(kept);
    let kept = kept.fetch_one(&mut server.database().await).await.unwrap();
    assert_eq!(kept, 0, "no address is given");
    // The client asks for its address as it is written, with a slash at its end or without.
    for audience in [server.url(""), server.url("/")] {
        let answer: Value = send(&server, "aud", &audience).await.json().await.unwrap();
        let address = answer["raw_upload_location"].as_str().expect("an address");
        let stored = put(&server, address, payload(&[("lcov.info", LCOV)])).await;
        assert_eq!(stored.status(), 200);
    }
    let record = record(&server, "acme/payments").await;
    assert_eq!(record["branch_name"], "feature");
}
