//! Upgrades that do not end at once: a migration fails, the process is killed, or two instances start together.

use super::{
    older::{Older, execute, newest},
    serve,
    served::assert_well,
};
use crate::harness::{
    Archive, BINARY, Reachable, ServerProcess, Upload, cobertura, is_postgres, preloaded,
    within_deadline,
};
use sqlx::{AnyConnection, Connection};
use std::{
    os::unix::process::ExitStatusExt,
    process::{Command, Stdio},
    time::Duration,
};
use tokio::{task::spawn_blocking, time::sleep};

/// Starts the service again, and checks that it accepts an upload.
async fn assert_finished(older: Older) {
    let server = older.start().await;
    let upload = Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz());
    upload.accepted(&server).await;
    assert_well(&server, "after an interrupted upgrade");
}

#[tokio::test]
async fn a_migration_that_fails_is_undone_and_the_next_start_finishes() {
    let older = Older::empty(0).await;
    let mut database = older.database().await;
    // Migration 1 makes two tables before it fails.
    execute(&mut database, "create table orgs (other integer)").await;
    let output = serve(&older).output().unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "{log}");
    assert!(log.contains("while executing migration 1"), "{log}");
    let branches = sqlx::query("select name from branches").execute(&mut database);
    assert!(branches.await.is_err(), "what was not finished is undone");
    execute(&mut database, "drop table orgs").await;
    database.close().await.unwrap();
    assert_finished(older).await;
}

#[tokio::test]
async fn a_first_start_that_was_killed_before_any_table_is_no_database_yet() {
    // The list of migrations is made before the first of them runs.
    let older = Older::empty(0).await;
    let list = Command::new(BINARY)
        .args(["token", "list"])
        .env("DATABASE_URL", older.url())
        .output()
        .unwrap();
    let errors = String::from_utf8(list.stderr).unwrap();
    assert!(errors.contains("start the service first"), "{errors}");
    assert_finished(older).await;
}

#[tokio::test]
async fn an_upgrade_killed_in_the_middle_of_a_write_goes_on_at_the_next_start() {
    if is_postgres() {
        // PostgreSQL writes its files itself. The next test kills the service there.
        return;
    }
    let older = Older::empty(0).await;
    let library = preloaded(older.folder(), "operate/upgrades/killing_write.c");
    let mut writes = 1;
    loop {
        let mut command = serve(&older);
        command
            .env("LD_PRELOAD", &library)
            .env("KILLING_PATH", "coverage.db")
            .env("KILLING_WRITES", writes.to_string());
        let Some(status) = until_it_serves(command) else {
            break;
        };
        assert_eq!(status.signal(), Some(9), "after {writes} writes");
        // Each start gets further than the one before.
        writes *= 2;
    }
    assert!(writes > 4, "it was killed within the migration");
    assert_finished(older).await;
}

/// Runs a service until it accepts requests, then kills it; or returns how it ended before.
fn until_it_serves(mut command: Command) -> Option<std::process::ExitStatus> {
    use std::io::{BufRead, BufReader};
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let serves = lines.any(|line| line.unwrap().contains("http://"));
    child.kill().ok();
    let status = child.wait().unwrap();
    (!serves).then_some(status)
}

/// Waits until this many statements on the database wait for a lock.
async fn until_blocked(database: &mut AnyConnection, statements: i64) {
    const WAITING: &str = "
        select count(*) from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where not l.granted and a.datname = current_database()";
    let waits = async {
        loop {
            let waiting: i64 = sqlx::query_scalar(WAITING)
                .fetch_one(&mut *database)
                .await
                .unwrap();
            if waiting >= statements {
                return;
            }
            sleep(Duration::from_millis(10)).await;
        }
    };
    within_deadline(waits).await;
}

/// Blocks migration 1 until the returned connection is closed: it has a table of the same name, which is then undone.
async fn block(older: &Older) -> AnyConnection {
    let mut other = older.database().await;
    execute(&mut other, "begin; create table orgs (other integer)").await;
    other
}

async fn start(older: &Older) -> ServerProcess {
    let folder = older.folder().to_owned();
    let started = spawn_blocking(move || ServerProcess::start(&folder, &[]));
    within_deadline(started).await.unwrap()
}

#[tokio::test]
async fn the_next_start_waits_for_the_transaction_of_a_killed_upgrade() {
    if !is_postgres() {
        return;
    }
    let older = Older::empty(0).await;
    let mut database = older.database().await;
    let other = block(&older).await;
    let mut killed = serve(&older)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until_blocked(&mut database, 1).await;
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(older.schema().await, 0);
    let release = async {
        // The statement of the killed process, and the start that waits for it.
        until_blocked(&mut database, 2).await;
        other.close().await.unwrap();
    };
    let (server, ()) = tokio::join!(start(&older), release);
    server.kill();
    database.close().await.unwrap();
    assert_finished(older).await;
}

#[tokio::test]
async fn two_instances_that_start_together_upgrade_once_and_both_serve() {
    if !is_postgres() {
        return;
    }
    let older = Older::empty(0).await;
    let mut database = older.database().await;
    // A limit of the database itself must not end an upgrade, nor the wait for one.
    let limit = format!(
        "do $$ begin execute format('alter database %I set {} = ''20ms''', current_database()); end $$",
        "lock_timeout"
    );
    execute(&mut database, &limit).await;
    let other = block(&older).await;
    let release = async {
        until_blocked(&mut database, 2).await;
        sleep(Duration::from_millis(60)).await;
        other.close().await.unwrap();
    };
    let (one, other, ()) = tokio::join!(start(&older), start(&older), release);
    for server in [&one, &other] {
        assert_eq!(server.get("/coverages-api/ready").await.status(), 200);
    }
    assert_eq!(older.schema().await, newest());
    drop((one, other));
    database.close().await.unwrap();
    assert_finished(older).await;
}
