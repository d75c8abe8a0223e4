//! `coverage-dashboard prune`, `pin` and `unpin`, on the database and the reports of a running service.

use crate::harness::{Archive, BINARY, Reachable, TestServer, Upload, cobertura};
use serde_json::Value;
use std::process::{Command, Output};

/// Uploads a commit and dates it `days` back.
async fn upload(server: &TestServer, branch: &str, commit: &str, days: i64) -> i64 {
    let answer = Upload::of(Archive::report(&format!("<p>{commit}"), &cobertura(1, 2)).tar_gz())
        .with("branch_name", branch)
        .with("commit_hash", commit)
        .accepted(server)
        .await;
    let id = answer["coverage"]["id"].as_i64().unwrap();
    sqlx::query("update records set updated_at = updated_at - $1 where id = $2")
        .bind(days * 86_400_000_000)
        .bind(id)
        .execute(&mut server.database().await)
        .await
        .unwrap();
    id
}

/// A command without a grace period: files are removed at once.
fn command(server: &TestServer, arguments: &[&str]) -> Command {
    let mut command = server.command(arguments);
    command.env("REPORT_GRACE", "0");
    command
}

fn run(server: &TestServer, arguments: &[&str]) -> Output {
    command(server, arguments).output().unwrap()
}

/// The records that the lines name.
fn listed(lines: &str) -> Vec<i64> {
    lines
        .lines()
        .map(|line| line.split('\t').next().unwrap().parse().unwrap())
        .collect()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

fn notes(server: &TestServer, arguments: &[&str]) -> String {
    let output = run(server, arguments);
    let notes = text(output.stderr);
    assert!(output.status.success(), "{notes}");
    notes
}

/// The commits whose HTML is served.
async fn with_html(server: &TestServer, records: &[(i64, &'static str)]) -> Vec<&'static str> {
    let mut found = Vec::new();
    for (id, commit) in records {
        let response = server.get(&format!("/reports/{id}/index.html")).await;
        if response.status() == 200 {
            assert!(response.text().await.unwrap().contains(commit));
            found.push(*commit);
        }
    }
    found
}

#[tokio::test]
async fn pruning_keeps_pinned_reports_main_branch_reports_and_all_numbers() {
    let server = TestServer::start().await;
    let mut records = Vec::new();
    for (branch, commit, days) in [
        ("main", "m1", 400),
        ("main", "m2", 300),
        ("main", "m3", 200),
        ("fix", "f1", 100),
        ("fix", "f2", 1),
    ] {
        records.push((upload(&server, branch, commit, days).await, commit));
    }
    let before: Vec<Value> = server.records().await;
    let pinned = records[0].0.to_string();
    notes(&server, &["pin", &pinned]);
    let dry = run(
        &server,
        &["prune", "--keep-reports-days", "30", "--dry-run"],
    );
    let would_go = text(dry.stdout);
    assert_eq!(would_go.lines().count(), 2, "{would_go}");
    assert!(
        would_go.ends_with("\tacme/payments\tfix\trust\tf1\n"),
        "{would_go}"
    );
    let dry = text(dry.stderr);
    assert!(dry.contains("\n2 of 5 reports would be removed, "), "{dry}");
    assert!(!dry.contains(" 0 bytes"), "{dry}");
    assert_eq!(server.stored_files().len(), 5, "nothing is removed yet");
    let output = run(&server, &["prune", "--keep-reports-days", "30", "--list"]);
    let gone = text(output.stdout);
    assert_eq!(gone, would_go);
    assert_eq!(listed(&gone), [records[1].0, records[3].0]);
    assert_eq!(with_html(&server, &records).await, ["m1", "m3", "f2"]);
    assert_eq!(server.stored_files().len(), 3);
    assert_eq!(server.records().await, before, "the numbers stay");
    let page = server.get_text(&format!("/records/{}", records[1].0)).await;
    assert!(page.contains("was removed, or found missing, on"), "{page}");
    let page = server.get_text(&format!("/records/{pinned}")).await;
    assert!(page.contains("kept regardless of age"), "{page}");
    notes(&server, &["unpin", &pinned]);
    let gone = notes(&server, &["prune", "--keep-reports-days", "30"]);
    assert!(gone.contains("\n1 of 3 reports were removed"), "{gone}");
    assert_eq!(with_html(&server, &records).await, ["m3", "f2"]);
}

#[tokio::test]
async fn a_new_upload_of_a_commit_restores_its_pruned_report() {
    let server = TestServer::start().await;
    let id = upload(&server, "fix", "c1", 90).await;
    upload(&server, "fix", "c2", 0).await;
    upload(&server, "main", "c3", 0).await;
    notes(&server, &["prune", "--keep-reports-per-branch", "1"]);
    let gone = server.get(&format!("/reports/{id}/")).await;
    assert_eq!(gone.status(), 404);
    let messages = gone.text().await.unwrap();
    assert!(messages.contains(&format!("/records/{id}")), "{messages}");
    assert_eq!(upload(&server, "fix", "c1", 0).await, id);
    assert_eq!(with_html(&server, &[(id, "c1")]).await, ["c1"]);
    let page = server.get_text(&format!("/records/{id}")).await;
    assert!(
        !page.contains("was removed, or found missing, on"),
        "{page}"
    );
}

#[tokio::test]
async fn without_rules_nothing_is_pruned_and_unknown_records_are_named() {
    let server = TestServer::start().await;
    upload(&server, "fix", "c1", 4_000).await;
    let refused = run(&server, &["prune"]);
    assert!(!refused.status.success());
    let messages = text(refused.stderr);
    assert!(messages.contains("every HTML report is kept"), "{messages}");
    assert_eq!(server.stored_files().len(), 1);
    let unknown = run(&server, &["pin", "99"]);
    let messages = text(unknown.stderr);
    assert!(messages.contains("there is no record 99"), "{messages}");
}

#[tokio::test]
async fn pruning_during_retries_leaves_each_record_with_its_report_or_none() {
    let server = TestServer::start_without_grace().await;
    // A service creates its folder while it starts.
    server.get("/coverages-api/health").await;
    let uploading = async {
        for round in 0..6 {
            for commit in ["c1", "c2", "c3"] {
                upload(&server, "fix", commit, 10 * round).await;
            }
        }
    };
    let pruning = async || {
        for _ in 0..6 {
            // It runs beside the server, which uses this thread.
            let mut pruning = command(&server, &["prune", "--keep-reports-per-branch", "1"]);
            let done = tokio::task::spawn_blocking(move || pruning.output());
            let done = done.await.unwrap().unwrap();
            assert!(done.status.success(), "{done:?}");
        }
    };
    tokio::join!(uploading, pruning(), pruning());
    let newest = server.current_records().await[0]["id"].clone();
    let mut served = 0;
    for record in server.records().await {
        let id = &record["id"];
        let page = server.get_text(&format!("/records/{id}")).await;
        let report = server.get(&format!("/reports/{id}/index.html")).await;
        let is_there = report.status() == 200;
        assert_eq!(is_there, page.contains("<iframe"), "{id}");
        assert!(is_there || *id != newest, "the newest is gone");
        served += usize::from(is_there);
    }
    assert_eq!(
        server.stored_files().len(),
        served,
        "and no other report is left"
    );
}

#[tokio::test]
async fn pruning_keeps_the_newest_report_of_the_main_branch() {
    let server = TestServer::start().await;
    let id = upload(&server, "main", "m1", 500).await;
    let xml_alone = Archive::new().file("coverage.xml", cobertura(1, 2));
    Upload::of(xml_alone.tar_gz())
        .with("branch_name", "main")
        .with("commit_hash", "m2")
        .accepted(&server)
        .await;
    notes(&server, &["prune", "--keep-reports-days", "30"]);
    assert_eq!(with_html(&server, &[(id, "m1")]).await, ["m1"]);
}

#[tokio::test]
async fn a_dry_run_lists_what_a_run_removes_from_retired_branches() {
    let server = TestServer::start().await;
    upload(&server, "main", "m1", 100).await;
    upload(&server, "main", "m2", 90).await;
    upload(&server, "fix", "f1", 80).await;
    sqlx::query("update repositories set main_branch_id = null")
        .execute(&mut server.database().await)
        .await
        .unwrap();
    let arguments = ["prune", "--keep-reports-days", "30", "--list"];
    let dry = run(&server, &[&arguments[..], &["--dry-run"]].concat());
    let done = run(&server, &arguments);
    let would_go = text(dry.stdout);
    assert_eq!(listed(&would_go).len(), 3, "{would_go}");
    assert_eq!(text(done.stdout), would_go);
    assert!(server.stored_files().is_empty());
}

#[tokio::test]
async fn pruning_at_the_wrong_location_removes_the_reports_later() {
    let server = TestServer::start().await;
    upload(&server, "fix", "f1", 90).await;
    upload(&server, "main", "m1", 90).await;
    sqlx::query("update repositories set main_branch_id = null")
        .execute(&mut server.database().await)
        .await
        .unwrap();
    let arguments = ["prune", "--keep-reports-days", "30"];
    let elsewhere = server.folder.path().join("elsewhere");
    let nowhere = command(&server, &arguments)
        .env("REPORTS_URL", &elsewhere)
        .output();
    let messages = text(nowhere.unwrap().stderr);
    assert!(messages.contains("check REPORTS_URL"), "{messages}");
    std::fs::create_dir(&elsewhere).unwrap();
    let wrong = command(&server, &arguments)
        .env("REPORTS_URL", &elsewhere)
        .output();
    assert!(wrong.unwrap().status.success());
    assert_eq!(server.stored_files().len(), 2, "the reports are elsewhere");
    notes(&server, &arguments);
    assert!(server.stored_files().is_empty());
}

#[tokio::test]
async fn a_prune_time_without_retention_rules_is_a_configuration_error() {
    let refused = Command::new(BINARY)
        .args(["serve", "--addr", "127.0.0.1:0", "--prune-at", "03:00"])
        .output()
        .unwrap();
    assert!(!refused.status.success());
    let messages = text(refused.stderr);
    assert!(messages.contains("--keep-reports-days"), "{messages}");
}
