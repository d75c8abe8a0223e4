//! The rate limit of refused tokens.

use crate::harness::{
    Archive, COMMIT, ForgeBehaviour, ForgeStandIn, GOOD, Kind, Reachable, SigningKey, TOKEN,
    TestIssuer, TestServer, Upload, cobertura,
};
use futures::future::join_all;
use jsonwebtoken::get_current_timestamp;
use reqwest::Response;
use serde_json::{Value, json};

fn upload(authorization: &str) -> Upload {
    Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz())
        .with("commit_hash", COMMIT)
        .authorization(Some(authorization))
}

/// Sends a list of branches as a client behind a proxy.
async fn put_from(server: &TestServer, address: &str, token: &str, repo: &str) -> Response {
    let body = json!({
        "org_name": "acme", "repo_name": repo, "commit_hash": COMMIT, "active_branches": ["main"],
    });
    let request = server.client.put(server.url("/coverages-api")).json(&body);
    let request = request.header("authorization", token);
    request
        .header("x-forwarded-for", address)
        .send()
        .await
        .unwrap()
}

#[tokio::test]
async fn an_address_with_too_many_refused_tokens_is_429() {
    let server =
        TestServer::start_with(&["--upload-token", TOKEN, "--failed-tries-per-address", "3"]).await;
    for _ in 0..3 {
        assert_eq!(upload("wr0ng").refused(&server).await.0, 401);
    }
    let response = upload("wr0ng").send(&server).await;
    assert_eq!(response.status(), 429);
    let seconds: u64 = response.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!((1..=60).contains(&seconds));
    let problem: Value = response.json().await.unwrap();
    assert_eq!(problem["code"], "too_many_requests");
    upload(TOKEN).accepted(&server).await;
}

#[tokio::test]
async fn a_rate_limited_client_causes_no_calls_to_forges() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let listed = forge.listed();
    let server =
        TestServer::start_with(&["--vcs-api-urls", &listed, "--failed-tries-per-address", "2"])
            .await;
    for number in 0..2 {
        let wrong = upload(&format!("wr0ng-{number}")).with("vcs_api_url", &forge.api());
        assert_eq!(wrong.refused(&server).await.0, 401);
    }
    for token in ["wr0ng-3", GOOD] {
        let limited = upload(token).with("vcs_api_url", &forge.api());
        assert_eq!(limited.refused(&server).await.0, 429);
    }
    assert_eq!(forge.calls().len(), 2);
}

/// A server that trusts the proxy in front of its clients.
async fn server_behind_a_proxy(arguments: &[&str]) -> TestServer {
    let own = ["--upload-token", TOKEN, "--trusted-proxies", "127.0.0.1"];
    TestServer::start_with(&[&own, arguments].concat()).await
}

#[tokio::test]
async fn a_repository_with_too_many_failures_is_closed_to_failed_addresses() {
    let server = server_behind_a_proxy(&["--failed-tries-per-repository", "3"]).await;
    let status = async |address: &str, token, repo| {
        put_from(&server, address, token, repo)
            .await
            .status()
            .as_u16()
    };
    for number in 1..=3 {
        assert_eq!(
            status(&format!("192.0.2.{number}"), "wr0ng", "payments").await,
            401
        );
    }
    assert_eq!(status("192.0.2.1", "wr0ng", "payments").await, 429);
    assert_eq!(
        status("192.0.2.9", "wr0ng", "payments").await,
        401,
        "its first attempt"
    );
    assert_eq!(status("192.0.2.9", "wr0ng", "payments").await, 429);
    assert_eq!(status("192.0.2.9", "wr0ng", "billing").await, 401);
    upload(TOKEN).accepted(&server).await;
    assert_eq!(status("192.0.2.9", TOKEN, "payments").await, 200);
}

#[tokio::test]
async fn failures_of_others_do_not_lock_out_an_address_without_failures() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let listed = forge.listed();
    let limits = [
        "--failed-tries-per-address",
        "4",
        "--failed-tries-per-repository",
        "6",
    ];
    let server = server_behind_a_proxy(&[&limits[..], &["--vcs-api-urls", &listed]].concat()).await;
    for number in 0..40 {
        let address = format!("192.0.2.{}", number % 2);
        put_from(&server, &address, "wr0ng", "payments").await;
    }
    for _ in 0..40 {
        let nothing = upload("").header("x-forwarded-for", "192.0.2.7");
        assert_eq!(nothing.refused(&server).await.1["code"], "missing_token");
    }
    for address in ["192.0.2.7", "192.0.2.8"] {
        let valid = upload(GOOD).with("vcs_api_url", &forge.api());
        valid
            .header("x-forwarded-for", address)
            .accepted(&server)
            .await;
    }
}

#[tokio::test]
async fn a_just_accepted_token_works_from_a_rate_limited_address() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let listed = forge.listed();
    let server =
        TestServer::start_with(&["--vcs-api-urls", &listed, "--failed-tries-per-address", "1"])
            .await;
    let good = || upload(GOOD).with("vcs_api_url", &forge.api());
    good().accepted(&server).await;
    assert_eq!(upload("wr0ng").refused(&server).await.0, 401);
    assert_eq!(upload("wr0ng").refused(&server).await.0, 429);
    good().accepted(&server).await;
}

#[tokio::test]
async fn concurrent_wrong_tokens_cause_no_more_calls_than_sequential_ones() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let listed = forge.listed();
    let server = TestServer::start_with(&[
        "--vcs-api-urls",
        &listed,
        "--failed-tries-per-address",
        "3",
        "concurrent_vcs_calls_per_address",
        "2",
    ])
    .await;
    let wrong = (0..30).map(|number| {
        let wrong = upload(&format!("wr0ng-{number}")).with("vcs_api_url", &forge.api());
        wrong.refused(&server)
    });
    let answers = join_all(wrong).await;
    assert!(
        answers
            .iter()
            .all(|(status, _)| [401, 429].contains(status))
    );
    let calls = forge.calls().len();
    assert!((3..=4).contains(&calls), "{calls} calls");
}

#[tokio::test]
async fn failed_calls_count_towards_the_rate_limit() {
    let forge = ForgeStandIn::start(Kind::GitLab).await;
    let listed = forge.listed();
    let server =
        TestServer::start_with(&["--vcs-api-urls", &listed, "--failed-tries-per-address", "3"])
            .await;
    forge.behave(ForgeBehaviour::Answer(503, vec![], String::new()));
    let mut statuses = Vec::new();
    for number in 0..5 {
        let token = format!("any-{number}");
        let any = upload(&token).with("vcs_api_url", &forge.api());
        statuses.push(any.refused(&server).await.0);
    }
    assert_eq!(statuses, [502, 502, 502, 429, 429]);
    assert_eq!(forge.calls().len(), 3);
}

#[tokio::test]
async fn calls_to_a_forge_are_bounded_across_many_addresses() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let key = SigningKey::p256("k1");
    let issuer = TestIssuer::start(&[&key]).await;
    let (listed, issuers) = (forge.listed(), format!("github={}", issuer.url));
    let arguments = [
        "--vcs-api-urls",
        &listed,
        "--oidc-issuers",
        &issuers,
        "failed_vcs_checks",
        "5",
    ];
    let server = server_behind_a_proxy(&arguments).await;
    let send = async |address: &str, token: &str, commit: &str| {
        let upload = upload(token)
            .with("vcs_api_url", &forge.api())
            .with("commit_hash", commit)
            .header("x-forwarded-for", address);
        upload.send(&server).await.status().as_u16()
    };
    assert_eq!(send("192.0.2.1", GOOD, COMMIT).await, 201);
    let mut answers = Vec::new();
    for number in 0..20 {
        let (address, token) = (format!("198.51.100.{number}"), format!("wr0ng-{number}"));
        answers.push(send(&address, &token, COMMIT).await);
    }
    assert_eq!(answers[..5], [401; 5]);
    assert_eq!(answers[5..], [429; 15]);
    assert_eq!(forge.calls().len(), 2 + 5);
    let other = "fedcba9876543210fedcba9876543210fedcba98";
    assert_eq!(send("192.0.2.9", GOOD, other).await, 429, "unknown here");
    assert_eq!(send("192.0.2.1", GOOD, other).await, 201, "known here");
    assert_eq!(send("192.0.2.9", GOOD, other).await, 200, "remembered");
    assert_eq!(send("192.0.2.9", TOKEN, COMMIT).await, 200);
    let now = get_current_timestamp();
    let identity = key.token(&json!({
        "iss": issuer.url, "aud": server.url(""), "exp": now + 300, "repository": "acme/web",
        "ref": "refs/heads/main", "sha": COMMIT, "event_name": "push",
    }));
    let upload = upload(&identity).with("repo_name", "web");
    let upload = upload.header("x-forwarded-for", "192.0.2.9");
    assert_eq!(upload.send(&server).await.status(), 201);
}

#[tokio::test]
async fn only_a_listed_proxy_may_state_the_address_of_its_client() {
    let limit = ["--upload-token", TOKEN, "--failed-tries-per-address", "1"];
    let trusting =
        TestServer::start_with(&[&limit[..], &["--trusted-proxies", "127.0.0.0/8"]].concat()).await;
    assert_eq!(
        put_from(&trusting, "192.0.2.1", "wr0ng", "a")
            .await
            .status(),
        401
    );
    assert_eq!(
        put_from(&trusting, "192.0.2.1", "wr0ng", "b")
            .await
            .status(),
        429
    );
    assert_eq!(
        put_from(&trusting, "192.0.2.2", "wr0ng", "c")
            .await
            .status(),
        401
    );
    let direct = TestServer::start_with(&limit).await;
    assert_eq!(
        put_from(&direct, "192.0.2.1", "wr0ng", "a").await.status(),
        401
    );
    assert_eq!(
        put_from(&direct, "192.0.2.2", "wr0ng", "b").await.status(),
        429
    );
}
