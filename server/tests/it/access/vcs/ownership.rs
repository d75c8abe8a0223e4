//! Which forge may upload to which repository if names alone do not decide it.

use super::{server_with, upload};
use crate::harness::{
    Archive, COMMIT, ForgeStandIn, GOOD, Kind, Reachable, TOKEN, TestServer, cobertura,
};
use futures::stream;
use reqwest::Body;
use std::io;
use tokio::sync::mpsc;

#[tokio::test]
async fn a_wrong_token_learns_nothing_about_stored_records() {
    let (first, _second, server) = namesakes_and_what_a_token_has_filled().await;
    let ask = async |repo| {
        let guess = upload(&first, 10)
            .authorization(Some("wr0ng"))
            .with("repo_name", repo);
        guess.refused(&server).await
    };
    assert_eq!(ask("payments").await, ask("nosuch").await);
}

/// Two forges that both have an `acme/payments`.
async fn namesakes() -> (ForgeStandIn, ForgeStandIn) {
    (
        ForgeStandIn::start(Kind::GitHub).await,
        ForgeStandIn::start(Kind::GitLab).await,
    )
}

/// The same, and a server on which a token of this service has filled that repository.
async fn namesakes_and_what_a_token_has_filled() -> (ForgeStandIn, ForgeStandIn, TestServer) {
    let (first, second) = namesakes().await;
    let server = server_with(&[&first, &second], &["--upload-token", TOKEN]).await;
    let own = upload(&first, 10).authorization(Some(TOKEN));
    own.accepted(&server).await;
    (first, second, server)
}

/// The name of a forge in UPLOAD_ORGS.
fn host(forge: &ForgeStandIn) -> String {
    let api = forge.api().replace("http://", "");
    api.split('/').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_repository_belongs_to_the_first_forge_that_uploaded_to_it() {
    let (first, second) = namesakes().await;
    let server = server_with(&[&first, &second], &["--upload-token", TOKEN]).await;
    upload(&first, 80).accepted(&server).await;
    let (status, problem) = upload(&second, 20).refused(&server).await;
    assert_eq!(
        (status, problem["code"].as_str().unwrap()),
        (403, "token_not_for_repository")
    );
    assert_eq!(second.states(), ["pending", "failed"]);
    upload(&first, 81).accepted(&server).await;
    upload(&second, 82)
        .authorization(Some(TOKEN))
        .accepted(&server)
        .await;
    upload(&first, 83).accepted(&server).await;
    let folder = server.stop().await;
    let listed = ["--vcs-api-urls", &second.listed()];
    let without_the_first = TestServer::start_in(folder, &listed).await;
    upload(&second, 84).accepted(&without_the_first).await;
}

#[tokio::test]
async fn a_repository_filled_by_own_tokens_needs_an_owner_from_the_operator() {
    let (first, second, server) = namesakes_and_what_a_token_has_filled().await;
    for forge in [&first, &second] {
        let (status, problem) = upload(forge, 20).refused(&server).await;
        assert_eq!(status, 403);
        assert!(
            problem["detail"]
                .as_str()
                .unwrap()
                .contains(&format!("{}:acme", host(forge)))
        );
    }
    let folder = server.stop().await;
    let listed = format!("{},{}", first.listed(), second.listed());
    let bound = format!("{}:acme", host(&second));
    let arguments = ["--vcs-api-urls", &listed, "--upload-orgs", &bound];
    let server = TestServer::start_in(folder, &arguments).await;
    upload(&second, 30).accepted(&server).await;
    assert_eq!(upload(&first, 40).refused(&server).await.0, 403);
}

#[tokio::test]
async fn a_single_listed_forge_may_continue_a_repository_of_own_tokens() {
    let forge = ForgeStandIn::start(Kind::GitHub).await;
    let server = server_with(&[&forge], &["--upload-token", TOKEN]).await;
    upload(&forge, 10)
        .authorization(Some(TOKEN))
        .accepted(&server)
        .await;
    upload(&forge, 20).accepted(&server).await;
}

#[tokio::test]
async fn a_concurrent_upload_from_another_forge_cannot_claim_a_repository() {
    let (first, second) = namesakes().await;
    let server = server_with(&[&first, &second], &[]).await;
    let (sender, body) = mpsc::channel::<Result<Vec<u8>, io::Error>>(4);
    let frame = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n";
    let archive = Archive::report("<p>", &cobertura(1, 2)).tar_gz();
    sender.send(Ok(frame.as_bytes().to_vec())).await.unwrap();
    let query = format!(
        "org_name=acme&repo_name=payments&branch_name=main&commit_hash={COMMIT}&commit_author=Kim&language=rust&coverage_xml_file_name=coverage.xml&vcs_api_url={}",
        second.api()
    );
    let stalled = server
        .client
        .post(server.url(&format!("/coverages-api?{query}")))
        .header("authorization", GOOD)
        .header("content-type", "multipart/form-data; boundary=x")
        .body(Body::wrap_stream(stream::unfold(body, async |mut body| {
            Some((body.recv().await?, body))
        })))
        .send();
    let stalled = tokio::spawn(stalled);
    while second.calls().is_empty() {
        tokio::task::yield_now().await;
    }
    upload(&first, 80).accepted(&server).await;
    for part in [archive, b"\r\n--x--\r\n".to_vec()] {
        sender.send(Ok(part)).await.unwrap();
    }
    drop(sender);
    let response = stalled.await.unwrap().unwrap();
    assert_eq!(response.status(), 403);
    upload(&first, 81).accepted(&server).await;
    assert_eq!(server.records().await.len(), 1);
    assert_eq!(second.states(), ["pending", "failed"]);
}

#[tokio::test]
async fn forges_may_upload_only_for_the_orgs_bound_to_them() {
    let forge = ForgeStandIn::start(Kind::GitLab).await;
    forge.allow("acme/platform/payments");
    forge.allow("stranger/payments");
    let server = server_with(&[&forge], &["--upload-orgs", "acme"]).await;
    upload(&forge, 80).accepted(&server).await;
    upload(&forge, 80)
        .with("org_name", "acme/platform")
        .accepted(&server)
        .await;
    let calls = forge.calls().len();
    let stranger = upload(&forge, 80).with("org_name", "stranger");
    let (status, problem) = stranger.refused(&server).await;
    assert_eq!(
        (status, problem["code"].as_str().unwrap()),
        (403, "token_not_for_repository")
    );
    assert!(problem["detail"].as_str().unwrap().contains("UPLOAD_ORGS"));
    assert_eq!(forge.calls().len(), calls);
}
