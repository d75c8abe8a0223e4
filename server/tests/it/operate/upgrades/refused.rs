//! What is refused: a database of a newer schema, and commands that would upgrade the database of a running service.

use super::{
    older::{Older, execute, newest},
    serve,
};
use crate::harness::{BINARY, is_postgres};
use sqlx::Connection;
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
        "the database has schema {newer}, but this release supports schemas up to {} only: use the release that upgraded it, or \
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
async fn a_database_of_a_build_before_the_first_release_says_how_to_move() {
    let older = Older::of_schema(1).await;
    let mut database = older.database().await;
    // The first migration of such builds.
    let of_build = "update _sqlx_migrations set description = 'records' where version = 1";
    execute(&mut database, of_build).await;
    database.close().await.unwrap();
    for refused in [
        serve(&older).output().unwrap(),
        command(&older, &["token", "create", "--name", "x"]),
    ] {
        let log = errors(&refused);
        for step in ["`export --lines history.ndjson`", "`import history.ndjson`"] {
            assert!(log.contains(step), "{log}");
        }
    }
    if !is_postgres() {
        let copy = older.folder().join("copy.db").display().to_string();
        let copied = command(&older, &["backup", &copy]);
        assert!(copied.status.success(), "{copied:?}");
    }
}
