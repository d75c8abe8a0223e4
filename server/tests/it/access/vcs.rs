//! Uploads whose tokens are checked with a forge.

mod answers;
mod asking;
mod comments;
mod containment;
mod links;
mod ownership;
mod reporters;
mod sharing;
mod statuses;
mod timed_out;

use crate::harness::{Archive, COMMIT, ForgeStandIn, GOOD, TestServer, Upload, cobertura};

/// A server that lists these forges.
async fn server_with(forges: &[&ForgeStandIn], arguments: &[&str]) -> TestServer {
    let listed: Vec<_> = forges.iter().map(|forge| forge.listed()).collect();
    let listed = listed.join(",");
    let mut all = vec![
        "--vcs-api-urls",
        &listed,
        "--public-url",
        "https://coverage.example.com",
    ];
    all.extend(arguments);
    TestServer::start_with(&all).await
}

/// An upload of `covered` lines of a hundred, with a token of this service.
fn upload(forge: &ForgeStandIn, covered: u32) -> Upload {
    Upload::of(Archive::report("<p>", &cobertura(covered, 100)).tar_gz())
        .with("commit_hash", COMMIT)
        .with("vcs_api_url", &forge.api())
        .authorization(Some(&format!("Bearer {GOOD}")))
}
