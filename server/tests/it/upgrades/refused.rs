//! What is refused: a database of a newer schema, and commands that would upgrade the database of a running service.

use super::{
    older::{Older, execute, newest},
    serve,
};
use crate::harness::{BINARY, is_postgres};
use sqlx::{AnyConnection, Connection};
use std::process::{Command, Output};

fn command(older: &Older, arguments: &[&str]) -> Output {
    let mut command = Command::new(BINARY);
    command.args(arguments).env("DATABASE_URL", older.url());
    command.output().unwrap()
}

fn errors(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[tokio::test]
async fn a_database_of_a_newer_schema_is_refused_with_one_sentence() {
    let (older, newer) = (Older::of_schema(newest()).await, newest() + 1);
    let mut database = older.database().await;
    let applied = format!(
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
         select {newer}, 'from the future', success, checksum, execution_time from _sqlx_migrations where version = 1"
    );
    execute(&mut database, &applied).await;
    let sentence = format!(
        "the database has schema {newer}, but this release knows schemas up to {} only: use the release that upgraded it, or \
         restore a backup from before that upgrade",
        newest()
    );
    let log = errors(&serve(&older).output().unwrap());
    let lines: Vec<_> = log.lines().filter(|line| line.contains("ERROR")).collect();
    let [line] = lines[..] else {
        panic!("one error, not {log}");
    };
    assert!(line.ends_with(&sentence), "{line}");
    let refused = errors(&command(&older, &["token", "create", "--name", "x"]));
    assert!(refused.trim_end().ends_with(&sentence), "{refused}");
    let tokens: i64 = sqlx::query_scalar("select count(*) from tokens where name = 'x'")
        .fetch_one(&mut database)
        .await
        .unwrap();
    assert_eq!((tokens, older.schema().await), (0, newer));
    database.close().await.unwrap();
}

#[tokio::test]
async fn a_command_does_not_upgrade_the_database_of_an_earlier_release() {
    let older = Older::of_schema(30).await;
    let refused = errors(&command(&older, &["token", "create", "--name", "x"]));
    let sentence = format!(
        "the database has schema 30, but this command needs schema {}",
        newest()
    );
    assert!(refused.contains(&sentence), "{refused}");
    assert_eq!(older.schema().await, 30);
}

#[tokio::test]
async fn a_backup_copies_the_database_of_an_earlier_release_as_it_is() {
    if is_postgres() {
        // pg_dump copies those.
        return;
    }
    let older = Older::of_schema(30).await;
    let copy = older.folder().join("copy.db");
    let output = command(&older, &["backup", &copy.display().to_string()]);
    assert!(output.status.success(), "{output:?}");
    let mut copied = AnyConnection::connect(&format!("sqlite://{}", copy.display()))
        .await
        .unwrap();
    let (schema, records): (i64, i64) = sqlx::query_as(
        "select (select max(version) from _sqlx_migrations), (select count(*) from records)",
    )
    .fetch_one(&mut copied)
    .await
    .unwrap();
    copied.close().await.unwrap();
    assert_eq!((schema, older.schema().await, records), (30, 30, 11));
}
