//! The command beside a running service, and if something cannot be checked.

use super::{Verified, assert_well, execute, server_with_records, upload, verify};
use crate::harness::TestServer;
use std::sync::Arc;
use tokio::task::spawn_blocking;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_uploads_and_removals_are_not_findings() {
    let server = Arc::new(TestServer::start_without_grace().await);
    upload(&server, "main", "c0").await;
    let uploading = tokio::spawn({
        let server = server.clone();
        async move {
            for turn in 0..30 {
                upload(&server, "main", ["c1", "c2", "c3"][turn % 3]).await;
            }
        }
    });
    while !uploading.is_finished() {
        let server = server.clone();
        spawn_blocking(move || assert_well(&server)).await.unwrap();
    }
    uploading.await.unwrap();
    assert_well(&server);
}

#[tokio::test]
async fn without_a_terminal_a_repair_needs_the_yes_option() {
    let server = server_with_records().await;
    execute(&server, &["update orgs set record_count = 99"]).await;
    let mut command = server.command(&["verify", "--repair", "--json"]);
    command.stdin(std::process::Stdio::null());
    let refused = Verified::of(command.output().unwrap());
    assert_eq!(refused.code, 2);
    assert!(refused.notes.contains("--yes"), "{}", refused.notes);
    assert_eq!(verify(&server, &[]).code, 1, "nothing has changed");
}

#[tokio::test]
async fn unchecked_reports_are_neither_damage_nor_success() {
    let server = server_with_records().await;
    let nowhere = server.folder.path().join("nowhere");
    let mut command = server.command(&["verify", "--json"]);
    let no_reports = Verified::of(command.env("REPORTS_URL", &nowhere).output().unwrap());
    assert_eq!(no_reports.code, 2, "{}", no_reports.notes);
    assert!(no_reports.notes.contains("check REPORTS_URL"));
    assert!(!nowhere.exists());
    let mut command = server.command(&["verify", "--json"]);
    let url = format!("sqlite://{}", nowhere.join("coverage.db").display());
    let no_database = Verified::of(command.env("DATABASE_URL", url).output().unwrap());
    assert_eq!(no_database.code, 2, "{}", no_database.notes);
}
