//! Uploads with the identity of a job.

use super::{
    COMMIT, LCOV, UPLOAD, payload, programs::job, put, record, refusal, server_with, stated,
};
use crate::{
    clients::foreign::programs::ACTION,
    harness::{RUNNER_TOKEN, Reachable, SigningKey, TestIssuer, TestServer},
};
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

#[tokio::test(flavor = "multi_thread")]
async fn codecovs_action_uploads_with_the_identity_of_its_job() {
    let Some(folder) = ACTION.action() else {
        return;
    };
    let key = SigningKey::p256("k1");
    let issuer = TestIssuer::start(&[&key]).await;
    let listed = format!("github={}", issuer.url);
    let server = server_with(&["--oidc-issuers", &listed]).await;
    let job = job();
    let runner = issuer.runner(key, &job.head()).await;
    let inputs = json!({
        "url": server.url(""), "use_oidc": "true", "files": "coverage.lcov", "disable_search": "true", "flags": "unit",
        "fail_ci_if_error": "true", "use_pypi": "true",
    });
    let of_job = [
        ("ACTION", &folder[..]),
        ("INPUTS", &inputs.to_string()),
        ("EVENT", "{}"),
        ("ACTIONS_ID_TOKEN_REQUEST_TOKEN", RUNNER_TOKEN),
        ("ACTIONS_ID_TOKEN_REQUEST_URL", &runner),
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_REPOSITORY", "acme/payments"),
        ("GITHUB_SHA", &job.head()),
        ("GITHUB_REF", "refs/heads/feature/x"),
    ];
    ACTION.succeed(&job, &server, "", &of_job).await;
    let record = &server.records().await[0];
    assert_eq!(record["commit_hash"], job.head());
    assert_eq!(record["branch_name"], "feature/x");
    assert_eq!(record["percentage"], 75.0);
}
