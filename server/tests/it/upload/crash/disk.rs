//! Full disks and failing syncs. Tests that involve the database run on SQLite only: PostgreSQL has its disk elsewhere.

use super::{assert_no_orphans, assert_nothing_left, assert_whole, upload};
use crate::harness::{
    Archive, BINARY, NO_GRACE, Reachable, ServerProcess, TestServer, Upload, cobertura,
    files_below, is_postgres, noise, preloaded,
};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// The binary, and a file: while the file exists, syncs of the binary fail.
fn with_failing_sync(folder: &Path) -> (Command, PathBuf) {
    let failing = folder.join("failing");
    let mut command = Command::new(BINARY);
    command
        .env(
            "LD_PRELOAD",
            preloaded(folder, "upload/crash/failing_sync.c"),
        )
        .env("FAILING_SYNC", &failing);
    (command, failing)
}

#[tokio::test]
async fn an_upload_that_cannot_be_synced_is_refused_and_the_next_accepted() {
    if is_postgres() {
        return;
    }
    let (tools, data) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let (command, failing) = with_failing_sync(tools.path());
    let server = ServerProcess::start_by(command, data.path(), &NO_GRACE);
    let before = upload(1).accepted(&server).await["coverage"].clone();
    // The syncs of the report, of the folder that it is renamed into, and of the database.
    for (number, part) in (2..).zip(["/.incoming/", "/reports/", "coverage.db"]) {
        fs::write(&failing, part).unwrap();
        let commit = format!("c{number}");
        let refused = upload(number).with("commit_hash", &commit);
        let (status, problem) = refused.refused(&server).await;
        assert_eq!(
            (status, problem["code"].as_str()),
            (503, Some("unavailable")),
            "{part}"
        );
        fs::remove_file(&failing).unwrap();
        assert_eq!(
            server.records().await,
            std::slice::from_ref(&before),
            "{part}"
        );
        assert_whole(&server, &before).await;
    }
    let after = upload(9).accepted(&server).await["coverage"].clone();
    server.kill();
    let server = TestServer::start_in(data, &NO_GRACE).await;
    assert_eq!(server.records().await, std::slice::from_ref(&after));
    assert_whole(&server, &after).await;
    assert_no_orphans(&server, 1);
    assert_nothing_left(&server).await;
}

#[tokio::test]
async fn no_failed_database_sync_leaves_a_record_without_its_report() {
    if is_postgres() {
        return;
    }
    let tools = TempDir::new().unwrap();
    for good in 0..6 {
        let data = TempDir::new().unwrap();
        let (command, failing) = with_failing_sync(tools.path());
        let server = ServerProcess::start_by(command, data.path(), &[]);
        let mut acknowledged = vec![upload(1).accepted(&server).await["coverage"].clone()];
        fs::write(&failing, format!("coverage.db {good}")).unwrap();
        let response = upload(2).with("commit_hash", "c2").send(&server).await;
        if response.status().is_success() {
            acknowledged.push(response.json::<Value>().await.unwrap()["coverage"].clone());
        }
        // A transaction whose sync failed may still be complete afterwards. It was not acknowledged, and is harmless.
        server.kill();
        fs::remove_file(&failing).ok();
        let server = TestServer::start_in(data, &[]).await;
        let records = server.records().await;
        for record in &acknowledged {
            assert!(records.contains(record), "{good}: {record} is lost");
        }
        for record in &records {
            assert_whole(&server, record).await;
        }
        assert_no_orphans(&server, records.len());
        assert_nothing_left(&server).await;
    }
}

/// The binary on its own small disk at `folder`, which no other process sees and which is removed with it.
fn on_small_disk(folder: &Path, megabytes: u32) -> Option<Command> {
    let mount = format!("mount -t tmpfs -o size={megabytes}m tmpfs \"$0\" && exec \"$@\"");
    let namespace = ["--user", "--map-root-user", "--mount", "sh", "-c", &mount];
    let can = Command::new("unshare")
        .args(namespace)
        .arg(folder)
        .arg("true")
        .status();
    if !can.is_ok_and(|status| status.success()) {
        return None;
    }
    let mut command = Command::new("unshare");
    command.args(namespace).arg(folder).arg(BINARY);
    Some(command)
}

#[tokio::test]
#[expect(
    clippy::print_stdout,
    reason = "a test that tried nothing has to say so"
)]
async fn an_upload_to_a_full_disk_is_507_and_old_reports_are_still_served() {
    if is_postgres() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let Some(command) = on_small_disk(folder.path(), 8) else {
        println!("no user namespaces here: the full disk was not tried");
        return;
    };
    let server = ServerProcess::start_by(command, folder.path(), &[]);
    let before = upload(1).accepted(&server).await["coverage"].clone();
    let large = |bytes: usize| {
        let archive = Archive::report("<p>", &cobertura(1, 2)).file("noise.png", noise(bytes));
        Upload::of(archive.tar()).with("branch_name", "large")
    };
    let disk = Path::new("/proc")
        .join(server.id().to_string())
        .join("root")
        .join(folder.path().strip_prefix("/").unwrap());
    let stored = || files_below(disk.join("reports")).len();
    let (status, problem) = large(12 << 20).refused(&server).await;
    assert_eq!(
        (status, problem["code"].as_str()),
        (507, Some("storage_full"))
    );
    assert_eq!(stored(), 1, "nothing of the refused upload is left");
    // The disk has no room for the database either.
    let ballast = disk.join("ballast");
    let filled = fs::write(&ballast, noise(9 << 20));
    assert!(filled.is_err(), "the disk is full");
    let (status, problem) = upload(2).with("commit_hash", "c2").refused(&server).await;
    assert_eq!(
        (status, problem["code"].as_str()),
        (507, Some("storage_full"))
    );
    assert_eq!(server.records().await, std::slice::from_ref(&before));
    assert_whole(&server, &before).await;
    fs::remove_file(ballast).unwrap();
    let after = upload(3).with("commit_hash", "c2").accepted(&server).await;
    assert_whole(&server, &after["coverage"]).await;
    large(1 << 20).accepted(&server).await;
    assert_eq!(stored(), 3, "each record's report and nothing else");
}

#[tokio::test]
#[expect(
    clippy::print_stdout,
    reason = "a test that tried nothing has to say so"
)]
async fn a_full_storage_removes_replaced_reports_before_the_next_upload() {
    if is_postgres() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let Some(command) = on_small_disk(folder.path(), 16) else {
        println!("no user namespaces here: the full disk was not tried");
        return;
    };
    let server = ServerProcess::start_by(command, folder.path(), &[]);
    let upload = |commit: &str| {
        let archive = Archive::report("<p>", &cobertura(1, 2)).file("noise.png", noise(4 << 20));
        Upload::of(archive.tar()).with("commit_hash", commit)
    };
    // The second report replaces the first, which stays for its grace period.
    for commit in ["c1", "c1", "c2"] {
        upload(commit).accepted(&server).await;
    }
    let (status, problem) = upload("c3").refused(&server).await;
    assert_eq!(
        (status, problem["code"].as_str()),
        (507, Some("storage_full"))
    );
    upload("c3").accepted(&server).await;
    for record in server.records().await {
        let path = format!("/reports/{}/noise.png", record["id"]);
        let file = server.get(&path).await.bytes().await.unwrap();
        assert_eq!(file.len(), 4 << 20, "{record}");
    }
}
