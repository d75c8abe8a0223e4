//! Notifications of webhooks.

mod chats;
mod digest;
mod events;
mod faults;
mod silence;

use crate::harness::{Archive, Reachable, Receiver, TOKEN, TestServer, Upload, cobertura};
use serde_json::Value;

/// The key that signs.
const SECRET: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

/// The other settings of a service in this process.
const OF_SERVER: [&str; 4] = [
    "--upload-token",
    TOKEN,
    "--public-url",
    "https://coverage.example.com",
];

/// The settings of a service that notifies these webhooks on the loopback network.
fn settings<'a>(webhooks: &'a str, others: &[&'a str]) -> Vec<&'a str> {
    let own = [
        "--webhooks",
        webhooks,
        "--webhook-secret",
        SECRET,
        "--webhook-networks",
        "127.0.0.0/8",
    ];
    [&own[..], others].concat()
}

/// Uploads `covered` of a hundred lines of a commit of the main branch.
async fn upload(server: &impl Reachable, commit: &str, covered: u32) -> Value {
    Upload::of(Archive::report("<p>", &cobertura(covered, 100)).tar_gz())
        .with("commit_hash", commit)
        .accepted(server)
        .await
}

/// A service that notifies these webhooks.
async fn started(webhooks: &str, others: &[&str]) -> TestServer {
    let settings = [&settings(webhooks, others)[..], &OF_SERVER].concat();
    TestServer::start_with(&settings).await
}

/// A service that notifies a receiver with JSON.
async fn notifying(receiver: &Receiver) -> TestServer {
    let hooks = format!("json={}", receiver.url("/hook"));
    started(&hooks, &[]).await
}
