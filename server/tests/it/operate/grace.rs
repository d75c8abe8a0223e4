//! Replaced and pruned reports stay for a grace period, because older copies of the database point to them.

use crate::harness::{
    Archive, BINARY, Reachable, TestServer, Upload, cobertura, is_postgres, noise,
};
use serde_json::Value;
use std::{fs, process::Output};

const DAY: i64 = 86_400_000_000;

fn upload(html: &str) -> Upload {
    Upload::of(Archive::report(html, &cobertura(1, 2)).tar_gz())
}

/// Dates the release of all reports `days` back.
async fn let_days_pass(server: &TestServer, days: i64) {
    sqlx::query(
        "update orphaned_reports set since = since - $1, marked_at = marked_at - $1, released_at = released_at - $1",
    )
    .bind(days * DAY)
    .execute(&mut server.database().await)
    .await
    .unwrap();
}

async fn start_again(server: TestServer) -> TestServer {
    TestServer::start_in(server.stop().await, &["--upload-token", "t0ken"]).await
}

fn run(server: &TestServer, arguments: &[&str]) -> Output {
    let output = server.command(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[tokio::test]
async fn a_replaced_report_stays_seven_days_and_the_next_sweep_removes_it() {
    let server = TestServer::start().await;
    upload("<p>old").accepted(&server).await;
    upload("<p>new").accepted(&server).await;
    assert_eq!(server.stored_files().len(), 2, "the grace period has begun");
    let_days_pass(&server, 6).await;
    let server = start_again(server).await;
    server.get("/coverages-api/health").await;
    assert_eq!(
        server.stored_files().len(),
        2,
        "the grace period is not over"
    );
    let_days_pass(&server, 2).await;
    let server = start_again(server).await;
    assert_eq!(server.get_text("/reports/1/index.html").await, "<p>new");
    assert_eq!(server.stored_files().len(), 1);
    let left: i64 = sqlx::query_scalar("select count(*) from orphaned_reports")
        .fetch_one(&mut server.database().await)
        .await
        .unwrap();
    assert_eq!(left, 0, "and is forgotten");
}

#[tokio::test]
async fn a_start_removes_a_few_reports_and_later_sweeps_the_rest() {
    let server = TestServer::start().await;
    server.get("/coverages-api/health").await;
    let mut database = server.database().await;
    for number in 0..250 {
        let due = "insert into orphaned_reports (key, since, marked_at, released_at) values ($1, 1, 1, 1)";
        sqlx::query(due)
            .bind(format!("{number:032x}"))
            .execute(&mut database)
            .await
            .unwrap();
    }
    let server = start_again(server).await;
    server.get("/coverages-api/health").await;
    let left: i64 = sqlx::query_scalar("select count(*) from orphaned_reports")
        .fetch_one(&mut server.database().await)
        .await
        .unwrap();
    assert_eq!(left, 50);
}

#[tokio::test]
async fn a_database_copy_finds_its_reports_after_replacing_and_pruning() {
    if is_postgres() {
        return;
    }
    let server = TestServer::start().await;
    for (branch, commit) in [("fix", "c1"), ("main", "c2"), ("main", "c3")] {
        let html = format!("<p>{commit}");
        let upload = upload(&html).with("branch_name", branch);
        upload.with("commit_hash", commit).accepted(&server).await;
    }
    let copy = server.folder.path().join("copy.db");
    let messages = run(&server, &["backup", copy.to_str().unwrap()]);
    assert!(text(messages.stderr).contains("REPORT_GRACE"));
    // A retry replaces the object that the copy points to.
    let retry = upload("<p>retried").with("branch_name", "fix");
    retry.with("commit_hash", "c1").accepted(&server).await;
    let pruned = run(&server, &["prune", "--keep-reports-per-branch", "1"]);
    let messages = text(pruned.stderr);
    assert!(messages.contains("stay for 7 days"), "{messages}");
    assert_eq!(server.stored_files().len(), 4, "nothing is removed");
    let folder = server.stop().await;
    fs::rename(&copy, folder.path().join("coverage.db")).unwrap();
    for left in ["coverage.db-wal", "coverage.db-shm"] {
        fs::remove_file(folder.path().join(left)).ok();
    }
    let server = TestServer::start_in(folder, &["--upload-token", "t0ken"]).await;
    for (id, commit) in [(1, "c1"), (2, "c2"), (3, "c3")] {
        let html = server.get_text(&format!("/reports/{id}/index.html")).await;
        assert_eq!(html, format!("<p>{commit}"));
    }
}

#[tokio::test]
async fn prune_now_removes_replaced_and_pruned_reports_at_once() {
    let server = TestServer::start().await;
    for html in ["<p>1", "<p>2", "<p>3"] {
        upload(html).accepted(&server).await;
    }
    assert_eq!(server.stored_files().len(), 3);
    let dry = run(&server, &["prune", "--keep-reports-days", "9", "--dry-run"]);
    assert!(text(dry.stderr).contains("would be removed"));
    assert_eq!(server.stored_files().len(), 3);
    run(&server, &["prune", "--now"]);
    assert_eq!(server.get_text("/reports/1/index.html").await, "<p>3");
    assert_eq!(server.stored_files().len(), 1);
}

#[tokio::test]
async fn a_grace_period_that_is_not_a_time_is_a_configuration_error() {
    let refused = std::process::Command::new(BINARY)
        .args(["serve", "--addr", "127.0.0.1:0", "--report-grace", "soon"])
        .output()
        .unwrap();
    assert!(!refused.status.success());
    let messages = text(refused.stderr);
    assert!(messages.contains("--report-grace"), "{messages}");
}

#[tokio::test]
async fn a_report_whose_object_is_missing_is_404_with_the_reason() {
    let server = TestServer::start().await;
    upload("<p>").accepted(&server).await;
    let server = start_again(server).await;
    server.get("/coverages-api/health").await;
    for file in server.stored_files() {
        fs::remove_file(file).unwrap();
    }
    for path in ["/reports/1/", "/reports/1/index.html", "/reports/1.zip"] {
        let answer = server.get(path).await;
        assert_eq!(answer.status(), 404, "{path}");
        let problem: Value = answer.json().await.unwrap();
        let messages = problem["detail"].as_str().unwrap();
        assert!(
            messages.contains("are missing in the storage"),
            "{path}: {messages}"
        );
        let navigation = server.client.get(server.url(path));
        let page = navigation.header("accept", "text/html").send().await;
        let page = page.unwrap();
        assert_eq!(page.status(), 404, "{path}");
        assert!(
            page.text()
                .await
                .unwrap()
                .contains("are missing in the storage")
        );
    }
    let page = server.get("/records/1").await;
    assert_eq!(page.status(), 200, "the numbers are still there");
    upload("<p>again").accepted(&server).await;
    assert_eq!(server.get_text("/reports/1/index.html").await, "<p>again");
}

#[tokio::test]
async fn a_report_removed_while_being_read_is_404_and_not_500() {
    let server = TestServer::start().await;
    let archive = Archive::report("<p>", &cobertura(1, 2)).file("large.png", noise(1 << 20));
    Upload::of(archive.tar_gz()).accepted(&server).await;
    server.get_text("/reports/1/index.html").await;
    for file in server.stored_files() {
        fs::remove_file(file).unwrap();
    }
    // An open file of a folder can still be read. An object of a bucket cannot.
    for path in ["/reports/1/large.png", "/reports/1.zip"] {
        let status = server.get(path).await.status().as_u16();
        assert!(matches!(status, 200 | 404), "{path}: {status}");
    }
}

#[tokio::test]
async fn a_storage_that_is_gone_entirely_is_503() {
    let server = TestServer::start().await;
    upload("<p>").accepted(&server).await;
    let server = start_again(server).await;
    server.get("/coverages-api/health").await;
    // A disk that is not mounted, or a bucket that was removed.
    let place = match server.folder.path().join("reports") {
        folder if folder.is_dir() => folder,
        _ => server.folder.path().join("s3").join(crate::harness::BUCKET),
    };
    fs::rename(&place, server.folder.path().join("elsewhere")).unwrap();
    assert_eq!(server.get("/reports/1/index.html").await.status(), 503);
    fs::rename(server.folder.path().join("elsewhere"), &place).unwrap();
    assert_eq!(server.get_text("/reports/1/index.html").await, "<p>");
}
