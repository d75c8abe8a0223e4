//! How often a token may be refused.

use crate::harness::{
    Archive, COMMIT, ForgeStandIn, GOOD, Kind, Reachable, TOKEN, TestServer, Upload, cobertura,
};
use reqwest::Response;
use serde_json::{Value, json};

fn upload(authorization: &str) -> Upload {
    Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz())
        .with("commit_hash", COMMIT)
        .authorization(Some(authorization))
}

/// A list of branches from a client behind a proxy.
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
async fn an_address_whose_tokens_are_refused_too_often_is_told_to_come_later() {
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
async fn who_is_told_to_come_later_makes_no_more_calls_to_other_services() {
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

#[tokio::test]
async fn a_repository_for_which_tokens_are_refused_too_often_is_closed_to_those_who_try() {
    let server = TestServer::start_with(&[
        "--upload-token",
        TOKEN,
        "--failed-tries-per-repository",
        "3",
        "--trusted-proxies",
        "127.0.0.1",
    ])
    .await;
    for number in 1..=3 {
        let address = format!("192.0.2.{number}");
        assert_eq!(
            put_from(&server, &address, "wr0ng", "payments")
                .await
                .status(),
            401
        );
    }
    assert_eq!(
        put_from(&server, "192.0.2.9", "wr0ng", "payments")
            .await
            .status(),
        429
    );
    assert_eq!(
        put_from(&server, "192.0.2.9", "wr0ng", "billing")
            .await
            .status(),
        401
    );
    assert_eq!(
        put_from(&server, "192.0.2.9", TOKEN, "payments")
            .await
            .status(),
        200
    );
}

#[tokio::test]
async fn clients_behind_a_listed_proxy_are_told_apart_and_nobody_else_may_say_who_it_is() {
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
