//! Links from pages to the forge.

use super::*;
use crate::harness::{KINDS, Kind, Reachable, TOKEN};
use serde_json::json;

const BASE: &str = "5b174c2d6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1c";
const HEAD: &str = "56018461a27a8b9c0d1e2f3a4b5c6d7e8f9a0b1c";

/// Uploads a commit of main, and one of a pull request that starts from it. Returns the id of the second record.
async fn pull_request(server: &TestServer, forge: &ForgeStandIn) -> i64 {
    let main = upload(forge, 80).with("commit_hash", BASE);
    main.accepted(server).await;
    let head = upload(forge, 81)
        .with("branch_name", "fix/tax")
        .with("commit_hash", HEAD)
        .with("base_commit", BASE)
        .with("pull_request", "7");
    let answer = head.accepted(server).await;
    answer["coverage"]["id"].as_i64().expect("an id")
}

async fn has_links(server: &TestServer, path: &str, links: &[String]) {
    let html = server.get(path).await.text().await.unwrap();
    for link in links {
        let link = format!("href=\"{link}\"");
        assert!(html.contains(&link), "{path} has no {link}: {html}");
    }
}

#[tokio::test]
async fn pages_link_to_the_forge_that_checked_the_token() {
    for kind in KINDS {
        let forge = ForgeStandIn::start(kind).await;
        let server = server_with(&[&forge], &[]).await;
        let id = pull_request(&server, &forge).await;
        let api = forge.api();
        let web = api.trim_end_matches("/api/v4").trim_end_matches("/api/v1");
        let (commit, branch, pull, compare, blob) = match kind {
            Kind::GitHub => ("commit", "tree", "pull", "compare", "blob"),
            Kind::GitLab => (
                "-/commit",
                "-/tree",
                "-/merge_requests",
                "-/compare",
                "-/blob",
            ),
            Kind::Gitea => ("commit", "src/branch", "pulls", "compare", "src/commit"),
        };
        let own = format!("{web}/acme/payments");
        let record = [
            format!("{own}/{commit}/{HEAD}"),
            format!("{own}/{branch}/fix/tax"),
            format!("{own}/{pull}/7"),
            format!("{own}/{compare}/{BASE}...{HEAD}"),
        ];
        has_links(&server, &format!("/records/{id}"), &record).await;
        has_links(&server, "/repos/acme/payments", std::slice::from_ref(&own)).await;
        let of_pull = [own.clone(), format!("{own}/{pull}/7")];
        has_links(&server, "/repos/acme/payments/pulls", &of_pull[1..]).await;
        let request = "/repos/acme/payments/pulls/7";
        has_links(&server, request, &[record[0].clone(), record[2].clone()]).await;
        let status = forge.calls().pop().expect("a status").body;
        let target = format!("https://coverage.example.com{request}");
        assert_eq!(status["target_url"], json!(target), "{kind:?}");
        let source = format!("/records/{id}/source?path=src/lib.rs&line=3");
        has_links(
            &server,
            &source,
            &[format!("{own}/{blob}/{HEAD}/src/lib.rs#L3")],
        )
        .await;
        let compare_page = format!("/compare?base={}&head={id}", id - 1);
        has_links(&server, &compare_page, &record[3..]).await;
    }
}

#[tokio::test]
async fn a_status_by_the_job_tells_the_forge_of_an_upload_with_another_token() {
    let forge = ForgeStandIn::start(Kind::Gitea).await;
    let server = server_with(&[&forge], &["--upload-token", TOKEN]).await;
    let with_token = |forge_token: Option<&str>| {
        let upload = upload(&forge, 80)
            .with("commit_hash", HEAD)
            .authorization(Some(&format!("Bearer {TOKEN}")));
        match forge_token {
            Some(token) => upload.header("forge-authorization", &format!("Bearer {token}")),
            None => upload,
        }
    };
    let page = async || {
        server
            .get("/repos/acme/payments")
            .await
            .text()
            .await
            .unwrap()
    };
    with_token(None).accepted(&server).await;
    assert!(!page().await.contains("on-forge"), "the forge is not known");
    with_token(Some("wr0ng")).accepted(&server).await;
    assert!(!page().await.contains("on-forge"), "it refused the token");
    with_token(Some(GOOD)).accepted(&server).await;
    let link = forge.api().replace("/api/v1", "/acme/payments");
    has_links(&server, "/repos/acme/payments", &[link]).await;
}

#[tokio::test]
async fn the_operator_may_name_the_forge_of_an_org() {
    let urls = "acme:bitbucket=https://git.example.com,github=https://other.example.com";
    let server = TestServer::start_with(&["--upload-token", TOKEN, "--forge-urls", urls]).await;
    let upload = Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz());
    let answer = upload.with("commit_hash", HEAD).accepted(&server).await;
    let record = format!("/records/{}", answer["coverage"]["id"]);
    let commit = format!("https://git.example.com/acme/payments/commits/{HEAD}");
    has_links(&server, &record, &[commit]).await;
}

#[tokio::test]
async fn a_record_links_to_its_ci_run_and_refuses_other_addresses() {
    let server = TestServer::start().await;
    let upload = || Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz());
    let run = "https://ci.example.com/job/7?a=b";
    let answer = upload().with("run_url", run).accepted(&server).await;
    let record = format!("/records/{}", answer["coverage"]["id"]);
    has_links(&server, &record, &[run.to_owned()]).await;
    has_links(&server, "/uploads", &[run.to_owned()]).await;
    let stranger = "https://stranger.example.com/";
    let refused = upload().with("run_url", stranger).authorization(None);
    assert_eq!(refused.refused(&server).await.0, 401);
    let uploads = server.get("/uploads").await.text().await.unwrap();
    assert!(!uploads.contains("stranger.example.com"), "{uploads}");
    for bad in [
        "javascript:alert(1)",
        "//evil.example.com",
        "https://kim@evil.example.com",
        "https://",
        "https://a.example/\u{202e}",
    ] {
        let (status, problem) = upload().with("run_url", bad).refused(&server).await;
        assert_eq!(
            (status, problem["code"].as_str()),
            (422, Some("invalid_parameter")),
            "{bad}"
        );
        assert!(
            problem["detail"].as_str().unwrap().contains("run_url"),
            "{problem}"
        );
    }
}
