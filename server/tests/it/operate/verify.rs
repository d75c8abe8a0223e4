//! `coverage-dashboard verify` on the database and reports of a running service, which each test damages.

mod database;
mod reports;
mod running;

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura, noise};
use serde_json::Value;
use std::process::Output;

/// The result of a run.
struct Verified {
    code: i32,
    lines: Vec<Value>,
    notes: String,
}

impl Verified {
    fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let lines = text(output.stdout);
        Self {
            code: output.status.code().unwrap(),
            lines: lines
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect(),
            notes: text(output.stderr),
        }
    }

    /// The kinds of the findings in one state, each once, in order.
    fn kinds(&self, state: &str) -> Vec<&str> {
        let lines = self.lines.iter().filter(|line| line["state"] == state);
        let mut kinds: Vec<_> = lines.map(|line| line["kind"].as_str().unwrap()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }
}

fn verify(server: &TestServer, arguments: &[&str]) -> Verified {
    let arguments = [&["verify", "--json"], arguments].concat();
    Verified::of(server.command(&arguments).output().unwrap())
}

/// Expects no findings.
fn assert_well(server: &TestServer) {
    let verified = verify(server, &["--all"]);
    assert!(verified.lines.is_empty(), "{:#?}", verified.lines);
    assert_eq!(verified.code, 0, "{}", verified.notes);
}

/// Expects exactly these kinds of findings.
fn assert_found(server: &TestServer, kinds: &[&str]) -> Verified {
    let verified = verify(server, &["--all"]);
    assert_eq!(verified.kinds("found"), kinds, "{:#?}", verified.lines);
    assert_eq!(verified.code, 1, "{}", verified.notes);
    verified
}

/// Repairs these kinds, and then expects no findings.
fn assert_repaired(server: &TestServer, kinds: &[&str]) {
    let verified = verify(server, &["--repair", "--yes"]);
    assert_eq!(verified.kinds("repaired"), kinds, "{}", verified.notes);
    assert_eq!(verified.code, 1, "{}", verified.notes);
    assert_well(server);
}

async fn upload(server: &TestServer, branch: &str, commit: &str) {
    let archive = Archive::report(&format!("<p>{commit}"), &cobertura(1, 2))
        .file("noise.png", noise(50_000))
        .file("style.css", "b { color: red }\n".repeat(2_000));
    Upload::of(archive.tar_gz())
        .with("branch_name", branch)
        .with("commit_hash", commit)
        .accepted(server)
        .await;
}

/// Three undamaged records on two branches.
async fn server_with_records() -> TestServer {
    let server = TestServer::start().await;
    for (branch, commit) in [("main", "c1"), ("fix", "c2"), ("main", "c3")] {
        upload(&server, branch, commit).await;
    }
    assert_well(&server);
    server
}

async fn execute(server: &TestServer, statements: &[&'static str]) {
    let mut database = server.database().await;
    for statement in statements {
        sqlx::query(*statement)
            .execute(&mut database)
            .await
            .unwrap();
    }
}

/// All numbers that the API shows.
async fn numbers(server: &TestServer) -> Vec<Value> {
    server.records().await
}
