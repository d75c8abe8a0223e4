//! The main branch: set by the operator or guessed, and the same everywhere.

use crate::harness::{Archive, BINARY, COMMIT, Reachable, TOKEN, TestServer, Upload, cobertura};
use domain::RepositoryQuery;
use serde_json::json;
use std::process::{Command, Output};

async fn upload(server: &TestServer, branch: &str, commit: &str, covered: u32) {
    Upload::of(Archive::report("<p>", &cobertura(covered, 100)).tar_gz())
        .with("branch_name", branch)
        .with("commit_hash", commit)
        .accepted(server)
        .await;
}

/// `coverage-dashboard main-branch …` on the database of a running server.
fn main_branch(server: &TestServer, arguments: &[&str]) -> Output {
    Command::new(BINARY)
        .arg("main-branch")
        .args(arguments)
        .env("DATABASE_URL", server.database_url())
        .output()
        .unwrap()
}

fn printed(server: &TestServer, arguments: &[&str]) -> (String, String) {
    let output = main_branch(server, arguments);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let notes = text(output.stderr);
    assert!(output.status.success(), "{notes}");
    (text(output.stdout).trim_end().to_owned(), notes)
}

/// Checks that the overview, the repository page and the badge agree on the main branch and show this percentage.
async fn assert_main(server: &TestServer, branch: &str, percentage: &str) {
    let overview = server.get_text("/").await;
    let cell = format!("<bdi title=\"{branch}\"");
    assert!(
        overview.contains(&cell) && overview.contains(percentage),
        "{branch} {percentage}: {overview}"
    );
    let badge = server
        .get_json("/coverages-api/badge.json?org_name=acme&repo_name=payments")
        .await;
    assert_eq!(badge["message"], format!("{percentage}%"), "{branch}");
    let repository = "acme/payments".parse().unwrap();
    let page = server
        .store()
        .await
        .everything()
        .repository(&repository, &RepositoryQuery::default())
        .await;
    assert_eq!(page.unwrap().unwrap().main_branch.as_str(), branch);
}

#[tokio::test]
async fn setting_the_main_branch_takes_effect_everywhere_at_once() {
    let server = TestServer::start().await;
    upload(&server, "main", "c1", 80).await;
    upload(&server, "next", "c1", 60).await;
    assert_main(&server, "main", "80.00").await;
    let (branch, notes) = printed(&server, &["acme/payments"]);
    assert_eq!(branch, "main");
    assert!(notes.contains("is guessed"), "{notes}");

    let (branch, notes) = printed(&server, &["acme/payments", "next"]);
    assert_eq!(branch, "next");
    assert!(notes.contains("is configured"), "{notes}");
    assert_main(&server, "next", "60.00").await;
    upload(&server, "next", "c2", 61).await;
    assert_main(&server, "next", "61.00").await;
    upload(&server, "main", "c2", 81).await;
    assert_main(&server, "next", "61.00").await;
    assert_eq!(printed(&server, &["acme/payments"]).0, "next");

    assert_eq!(printed(&server, &["acme/payments", "--guess"]).0, "main");
    assert_main(&server, "main", "81.00").await;
}

#[tokio::test]
async fn a_configured_branch_without_a_current_record_uses_the_guess() {
    let server = TestServer::start().await;
    upload(&server, "main", "c1", 80).await;
    let (branch, notes) = printed(&server, &["acme/payments", "release"]);
    assert_eq!(branch, "main");
    assert!(
        notes.contains("release, which has no current record"),
        "{notes}"
    );
    assert_main(&server, "main", "80.00").await;

    upload(&server, "release", "c1", 70).await;
    assert_main(&server, "release", "70.00").await;

    let body = json!({
        "org_name": "acme", "repo_name": "payments", "commit_hash": COMMIT, "active_branches": ["main"],
    });
    let request = server.client.put(server.url("/coverages-api")).json(&body);
    let response = request.header("authorization", TOKEN).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_main(&server, "release", "70.00").await;

    printed(&server, &["acme/payments", "--guess"]);
    let request = server.client.put(server.url("/coverages-api")).json(&body);
    let response = request.header("authorization", TOKEN).send().await.unwrap();
    assert_eq!(response.status(), 200);
    printed(&server, &["acme/payments", "release"]);
    assert_main(&server, "main", "80.00").await;

    upload(&server, "release", "c1", 71).await;
    assert_main(&server, "release", "71.00").await;
}

#[tokio::test]
async fn without_a_usual_name_the_branch_with_most_records_is_main() {
    let server = TestServer::start().await;
    upload(&server, "alpha", "c1", 10).await;
    upload(&server, "beta", "c1", 20).await;
    assert_main(&server, "alpha", "10.00").await;
    upload(&server, "beta", "c1", 21).await;
    assert_main(&server, "alpha", "10.00").await;
    upload(&server, "beta", "c2", 22).await;
    assert_main(&server, "beta", "22.00").await;
    upload(&server, "trunk", "c1", 30).await;
    assert_main(&server, "trunk", "30.00").await;
    upload(&server, "develop", "c1", 40).await;
    assert_main(&server, "develop", "40.00").await;
}

#[tokio::test]
async fn the_command_refuses_unknown_names_and_changes_nothing() {
    let server = TestServer::start().await;
    upload(&server, "main", "c1", 80).await;
    for (arguments, sentence) in [
        (
            &["acme/other"][..],
            "nothing was ever uploaded to acme/other",
        ),
        (
            &["acme/other", "next"],
            "nothing was ever uploaded to acme/other",
        ),
        (&["acme"], "must have the form org/repo"),
        (&["acme/payments", "a\nb"], "without control characters"),
        (&["acme/payments", "next", "--guess"], "cannot be used with"),
    ] {
        let output = main_branch(&server, arguments);
        let notes = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && notes.contains(sentence),
            "{arguments:?}: {notes}"
        );
    }
    assert_main(&server, "main", "80.00").await;
    let elsewhere = Command::new(BINARY)
        .args([
            "main-branch",
            "acme/payments",
            "--database-url",
            "sqlite:///nothing/here.db",
        ])
        .output()
        .unwrap();
    let notes = String::from_utf8(elsewhere.stderr).unwrap();
    assert!(notes.contains("there is no database"), "{notes}");
}
