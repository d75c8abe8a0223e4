//! The database of a test: a SQLite file in its folder, or its own database on the PostgreSQL server that
//! `COVERAGE_TEST_POSTGRES` names. The tests are the same for both.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
    process::Command,
};

/// The URL of the PostgreSQL server, without a database: `postgres://user@%2Fpath%2Fof%2Fsocket`.
const SERVER: &str = "COVERAGE_TEST_POSTGRES";

/// Whether tests run on PostgreSQL.
pub fn is_postgres() -> bool {
    std::env::var_os(SERVER).is_some()
}

/// The URL of the database that belongs to a folder.
pub fn database_url(folder: &Path) -> String {
    match std::env::var(SERVER) {
        Err(_) => format!("sqlite://{}", folder.join("coverage.db").display()),
        Ok(server) => {
            let name = name_for(folder);
            // Copying files is three times as fast as writing them to the WAL.
            psql(
                &server,
                &format!("create database {name} strategy file_copy"),
            );
            format!("{server}/{name}")
        }
    }
}

/// Removes the database that belongs to a folder, even if it is in use.
pub fn remove_database(folder: &Path) {
    match std::env::var(SERVER) {
        Err(_) => drop(std::fs::remove_file(folder.join("coverage.db"))),
        Ok(server) => {
            let name = name_for(folder);
            psql(
                &server,
                &format!("drop database if exists {name} with (force)"),
            );
        }
    }
}

fn name_for(folder: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    folder.hash(&mut hasher);
    format!("test_{:016x}", hasher.finish())
}

/// Runs a statement. It is no error if the database that it creates exists already.
fn psql(server: &str, statement: &str) {
    let done = Command::new("psql")
        .args([&format!("{server}/postgres"), "-qXc", statement])
        .output()
        .expect("psql");
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(
        done.status.success() || errors.contains("already exists"),
        "{errors}"
    );
}
