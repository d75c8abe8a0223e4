//! `coverage-dashboard export`, `import` and `backup`, on the database of a running service.

use crate::{
    harness::{Archive, BINARY, Reachable, TOKEN, TestServer, Upload, cobertura, is_postgres},
    read::line_history::{two_records, with_history},
};
use access::Tokens;
use serde_json::Value;
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::{Command, Output, Stdio},
};
use store::{Purpose, Scope, Store, actor::Actor};

async fn upload(server: &TestServer, branch: &str, commit: &str, covered: u32) {
    Upload::of(Archive::report("<p>", &cobertura(covered, 100)).tar_gz())
        .with("branch_name", branch)
        .with("commit_hash", commit)
        .accepted(server)
        .await;
}

fn run(server: &TestServer, arguments: &[&str], input: &str) -> Output {
    let mut child = server
        .command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments does not read its input.
    child.stdin.take().unwrap().write_all(input.as_bytes()).ok();
    child.wait_with_output().unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// The output of a command, and its messages after the name of the database.
fn printed(server: &TestServer, arguments: &[&str], input: &str) -> (String, String) {
    let output = run(server, arguments, input);
    let notes = text(output.stderr);
    assert!(output.status.success(), "{notes}");
    let (database, notes) = notes.split_once('\n').unwrap();
    assert!(database.starts_with("Database: "), "{database}");
    (text(output.stdout), notes.to_owned())
}

#[tokio::test]
async fn one_running_service_imports_what_another_exported() {
    let (one, other) = (TestServer::start().await, TestServer::start().await);
    other.get("/coverages-api/health").await;
    upload(&one, "main", "c1", 10).await;
    upload(&one, "main", "c2", 20).await;
    upload(&one, "fix/ä, \"x\"", "c3", 30).await;
    for form in ["ndjson", "csv"] {
        let (file, notes) = printed(&one, &["export", "--format", form], "");
        assert_eq!(notes, "3 records\n");
        let (_, notes) = printed(&other, &["import", "--format", form], &file);
        let expected = match form {
            "ndjson" => "3 records added, 0 existed already\n",
            _ => "0 records added, 3 existed already\n",
        };
        assert_eq!(notes, expected);
    }
    let without_ids = |mut records: Vec<serde_json::Value>| {
        for record in &mut records {
            record.as_object_mut().unwrap().remove("id");
        }
        records
    };
    assert_eq!(
        without_ids(other.records().await),
        without_ids(one.records().await)
    );
    assert_eq!(
        without_ids(other.current_records().await),
        without_ids(one.current_records().await)
    );
    let page = other.get_text("/repos/acme/payments?range=all").await;
    assert!(page.contains("20.00"), "{page}");
}

#[tokio::test]
async fn an_export_with_lines_moves_lines_text_and_html_report_of_every_record() {
    let accepts = ["--upload-token", TOKEN, "--sources", "accept"];
    let (one, other) = (
        TestServer::start_with(&accepts).await,
        TestServer::start().await,
    );
    other.get("/coverages-api/health").await;
    let lcov = "SF:src/a.c\nDA:1,2\nDA:2,0\nDA:3,1\nBRDA:3,0,0,1\nBRDA:3,0,1,0\nend_of_record\n";
    let archive = Archive::new().file("coverage.xml", lcov).tar_gz();
    let sources = Archive::new().file("src/a.c", "int a;\r\n").tar();
    let upload_of_lcov = Upload::of(archive).before("sources", &sources);
    upload_of_lcov.accepted(&one).await;
    upload(&one, "main", "other", 30).await;
    with_history(&one, 1).await;
    let (numbers, _) = printed(&one, &["export"], "");
    assert!(!numbers.contains("\"lines\":"), "{numbers}");
    let (file, notes) = printed(&one, &["export", "--lines"], "");
    assert_eq!(notes, "2 records\n");
    let (empty, elsewhere) = (TestServer::start().await, &["import", "--format", "ndjson"]);
    empty.get("/coverages-api/health").await;
    let (_, notes) = printed(&empty, elsewhere, &file);
    assert!(notes.contains("HTML reports are not in"), "{notes}");
    let copied = Command::new("cp")
        .arg("-r")
        .arg(one.folder.path().join("reports"))
        .arg(other.folder.path())
        .status();
    assert!(copied.unwrap().success());
    let (_, notes) = printed(&other, &["import", "--format", "ndjson"], &file);
    assert_eq!(notes, "2 records added, 0 existed already\n");
    assert_eq!(other.get_text("/reports/2/index.html").await, "<p>");
    let (again, _) = printed(&other, &["export", "--lines"], "");
    assert_eq!(again, file);
    for server in [&one, &other] {
        let records = server.records().await;
        let of_lcov = records
            .iter()
            .find(|record| record["commit_hash"] != "other");
        let path = format!(
            "/coverages-api/records/{}/lines?path=src/a.c",
            of_lcov.unwrap()["id"]
        );
        let lines = server.get_json(&path).await;
        assert_eq!(lines["missed"], serde_json::json!([[2, 2]]));
        assert_eq!(lines["partial"], serde_json::json!([[3, 3]]));
        let text = server.get_text(&path.replace("/lines?", "/source?")).await;
        assert_eq!(text, "int a;\r\n");
    }
    let output = run(&one, &["export", "--lines", "--format", "csv"], "");
    assert!(!output.status.success());
    let notes = text(output.stderr);
    assert!(notes.contains("--lines needs --format ndjson"), "{notes}");
}

/// An answer without ids. They differ between services.
fn without_ids(mut answer: Value) -> Value {
    match &mut answer {
        Value::Object(fields) => {
            fields.retain(|name, _| name != "id" && name != "digest");
            for field in fields.values_mut() {
                *field = without_ids(field.take());
            }
        }
        Value::Array(items) => {
            for item in items {
                *item = without_ids(item.take());
            }
        }
        _ => {}
    }
    answer
}

#[tokio::test]
async fn an_export_with_lines_moves_the_history_of_lines() {
    let (one, other) = (TestServer::start().await, TestServer::start().await);
    // Ids in the other service differ.
    let elsewhere = Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz());
    elsewhere.with("repo_name", "other").accepted(&other).await;
    two_records(&one).await;
    let (second, third) = ("2".repeat(40), "3".repeat(40));
    let lcov = "SF:src/fee.c\nDA:1,0\nDA:2,0\nDA:3,0\nDA:4,0\nDA:5,1\nend_of_record\n";
    let diff =
        "diff --git a/src/fee.c b/src/fee.c\n--- a/src/fee.c\n+++ b/src/fee.c\n@@ -4,0 +5 @@\n";
    let lcov = Archive::new().file("coverage.xml", lcov).tar_gz();
    let upload = Upload::of(lcov).with("commit_hash", &third);
    let upload = upload.with("base_commit", &second);
    let upload = upload.before("changes", diff.as_bytes());
    upload.accepted(&one).await;
    with_history(&one, 3).await;
    let delete = ["delete", "record", "2", "--yes"];
    let deleted = one.command(&delete).output().unwrap();
    assert!(deleted.status.success(), "{deleted:?}");
    let (file, _) = printed(&one, &["export", "--lines"], "");
    // The order of records in a file does not matter, and a second import changes nothing.
    let reversed: Vec<&str> = file.lines().rev().collect();
    let other_id = |ids: &[i64], id: i64| ids[usize::try_from(id).unwrap()];
    for file in [reversed.join("\n"), file] {
        printed(&other, &["import", "--format", "ndjson"], &file);
        let records = other.records().await;
        let id_of = |commit: &str| {
            let record = records
                .iter()
                .find(|record| record["commit_hash"] == commit);
            record.unwrap()["id"].as_i64().unwrap()
        };
        let ids = [0, id_of(&"1".repeat(40)), 0, id_of(&third)];
        for (before, id, after) in [
            ("records/", 3, "/new?since=record:1"),
            ("records/", 3, "/new"),
            ("records/", 1, "/new"),
            ("records/", 3, "/lines?path=src/fee.c&history"),
            ("records/", 1, "/lines?path=src/fee.c&history"),
            (
                "cold?org_name=acme&repo_name=payments&language=rust&days=",
                1,
                "",
            ),
        ] {
            let here = format!("/coverages-api/{before}{id}{after}");
            let id = match before {
                "records/" => other_id(&ids, id),
                _ => id,
            };
            let after = after.replace("record:1", &format!("record:{}", ids[1]));
            let there = format!("/coverages-api/{before}{id}{after}");
            assert_eq!(
                without_ids(other.get_json(&there).await),
                without_ids(one.get_json(&here).await),
                "{here}"
            );
        }
    }
    let verified = other.command(&["verify", "--all"]).output().unwrap();
    assert!(verified.status.success(), "{verified:?}");
}

#[tokio::test]
async fn a_team_imports_its_history_and_continues_uploading() {
    let server = TestServer::start().await;
    server.get("/coverages-api/health").await;
    let history = "org_name,repo_name,branch_name,commit_hash,language,percentage,created_at\n\
                   acme,payments,main,old1,rust,61.5,2024-01-31\n\
                   acme,payments,main,old2,rust,62,2024-02-29T12:00:00+01:00\n";
    let file = server.folder.path().join("history.csv");
    fs::write(&file, history).unwrap();
    let (_, notes) = printed(&server, &["import", file.to_str().unwrap()], "");
    assert!(notes.starts_with("2 records added"), "{notes}");
    upload(&server, "main", "new", 70).await;
    let records = server.records().await;
    let commits: Vec<_> = records
        .iter()
        .map(|record| &record["commit_hash"])
        .collect();
    assert_eq!(commits, ["new", "old2", "old1"]);
    assert_eq!(records[1]["created_at"], "2024-02-29T11:00:00.000000+00:00");
    assert_eq!(server.current_records().await.len(), 1);
}

#[tokio::test]
async fn an_invalid_line_ends_an_import_with_its_line_number() {
    let server = TestServer::start().await;
    server.get("/coverages-api/health").await;
    let file = "org_name,repo_name,branch_name,commit_hash,language,percentage,created_at\n\
                acme,payments,main,c1,rust,50,2024-01-01\n\
                acme,payments,main,c2,rust,500,2024-01-01\n";
    let output = run(&server, &["import", "--format", "csv"], file);
    let notes = text(output.stderr);
    assert!(!output.status.success());
    assert!(notes.contains("line 3: percentage must be"), "{notes}");
    assert_eq!(
        server.records().await.len(),
        1,
        "the lines before it are stored"
    );
    let output = run(&server, &["import"], file);
    assert!(text(output.stderr).contains("add --format"));
}

#[tokio::test]
async fn an_import_of_dates_gives_each_record_its_own_time() {
    let server = TestServer::start().await;
    server.get("/coverages-api/health").await;
    let of_days = |days: std::ops::Range<u32>| {
        let lines = days.flat_map(|day| {
            (0..100).map(move |n| {
                format!(
                    "acme,payments,main,d{day}c{n},rust,{n},2024-01-{:02}\n",
                    day + 1
                )
            })
        });
        let header = "org_name,repo_name,branch_name,commit_hash,language,percentage,created_at\n";
        header.to_owned() + &lines.collect::<String>()
    };
    for (days, expected) in [
        (0..2, "200 records added, 0"),
        (0..4, "200 records added, 200"),
    ] {
        let (_, notes) = printed(&server, &["import", "--format", "csv"], &of_days(days));
        assert!(notes.starts_with(expected), "{notes}");
    }
    let moments: i64 = sqlx::query_scalar("select count(distinct updated_at) from records")
        .fetch_one(&mut server.database().await)
        .await
        .unwrap();
    assert_eq!(moments, 400);
    assert_eq!(server.current_records().await.len(), 1);
}

#[tokio::test]
async fn an_import_into_a_missing_database_creates_none() {
    if is_postgres() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("typo/coverage.db");
    let output = Command::new(BINARY)
        .args(["import", "--format", "csv"])
        .env("DATABASE_URL", format!("sqlite://{}", database.display()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let messages = text(output.stderr);
    assert!(messages.contains("no database at this place"), "{messages}");
    assert!(!database.exists());
}

#[tokio::test]
async fn of_two_backups_to_one_file_one_completes_and_one_is_refused() {
    if is_postgres() {
        return;
    }
    let server = TestServer::start().await;
    upload(&server, "main", "c1", 10).await;
    let copy = server.folder.path().join("copy.db");
    let begin = || {
        Command::new(BINARY)
            .args(["backup", copy.to_str().unwrap()])
            .env("DATABASE_URL", server.database_url())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let both = [begin(), begin()].map(|child| child.wait_with_output().unwrap().status.success());
    assert_eq!(both.iter().filter(|done| **done).count(), 1);
    let store = Store::open(&format!("sqlite://{}", copy.display()))
        .await
        .unwrap();
    let page = store
        .everything()
        .list(&Default::default(), 0, 10)
        .await
        .unwrap();
    assert_eq!(page.records.len(), 1);
    let left = fs::read_dir(server.folder.path()).unwrap();
    let left = left.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(left.into_iter().all(|name| !name.ends_with(".unfinished")));
}

#[tokio::test]
async fn a_backup_of_a_running_service_is_a_complete_database() {
    let server = TestServer::start().await;
    upload(&server, "main", "c1", 10).await;
    let copy = server.folder.path().join("copy.db");
    let backup = || run(&server, &["backup", copy.to_str().unwrap()], "");
    let output = backup();
    if is_postgres() {
        assert!(text(output.stderr).contains("pg_dump"));
        return;
    }
    assert!(output.status.success(), "{}", text(output.stderr));
    upload(&server, "main", "c2", 20).await;
    let store = Store::open(&format!("sqlite://{}", copy.display()))
        .await
        .unwrap();
    let page = store
        .everything()
        .list(&Default::default(), 0, 10)
        .await
        .unwrap();
    assert_eq!(page.records[0].commit.as_str(), "c1");
    store.close().await;
    let again = backup();
    assert!(!again.status.success());
    assert!(text(again.stderr).contains("exists already"));
}

#[tokio::test]
async fn an_imported_record_offers_no_html() {
    let server = TestServer::start().await;
    server.get("/coverages-api/health").await;
    let file = "org_name,repo_name,branch_name,commit_hash,commit_author,language,percentage,created_at\n\
                acme,payments,main,c1,Kim,rust,50,2024-01-01\n\
                acme,payments,fix,c2,Kim,rust,60,2024-01-02\n";
    printed(&server, &["import", "--format", "csv"], file);
    for path in [
        "/",
        "/orgs/acme?range=all",
        "/repos/acme/payments?range=all",
        "/repos/acme/payments?branch_name=fix",
        "/records/1",
        "/records/2?against=main",
        "/compare?base=1&head=2",
        "/authors/Kim",
        "/setup",
        "/setup?org_name=acme&repo_name=payments",
        "/uploads",
        "/storage",
    ] {
        let page = server.get_text(path).await;
        let offers = [
            "href=\"/reports/",
            "<iframe",
            "HTML ↗",
            "open the HTML report",
            "Download",
        ];
        let offered = offers.iter().find(|offer| page.contains(**offer));
        assert_eq!(offered, None, "{path}: {page}");
    }
}

/// Reads one line of a command's output and closes the pipe.
fn first_line(server: &TestServer, arguments: &[&str]) -> (String, Output) {
    let mut child = server
        .command(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    (line, child.wait_with_output().unwrap())
}

#[tokio::test]
async fn a_command_whose_output_is_closed_ends_without_an_error() {
    let server = TestServer::start().await;
    server.get("/coverages-api/health").await;
    // More than a pipe holds, so the command is still printing when it is closed.
    let name = "n".repeat(200);
    let rows = (0..2_000)
        .map(|n| format!("acme,payments,{name},c{n},rust,50,2024-01-01T00:00:00.{n:06}Z\n"));
    let header = "org_name,repo_name,branch_name,commit_hash,language,percentage,created_at\n";
    let file = header.to_owned() + &rows.collect::<String>();
    printed(&server, &["import", "--format", "csv"], &file);
    let tokens = Tokens::new(None, server.store().await);
    for n in 0..600 {
        let name = format!("{n} {}", "t".repeat(90));
        let by = Actor::service();
        let made = tokens.make(&name, Purpose::Upload, &Scope::All, None, &by);
        made.await.unwrap();
    }
    for (arguments, begins) in [
        (&["export"][..], "{"),
        (&["export", "--format", "csv"][..], "org_name,"),
        (&["token", "list"][..], "ID"),
        (&["openapi"][..], "{"),
    ] {
        let (line, output) = first_line(&server, arguments);
        assert!(line.starts_with(begins), "{arguments:?}: {line}");
        let messages = text(output.stderr);
        assert!(output.status.success(), "{arguments:?}: {messages}");
        assert!(!messages.contains("error"), "{arguments:?}: {messages}");
    }
}
