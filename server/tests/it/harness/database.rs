//! The database of a test: a SQLite file in its folder, or its own database on the PostgreSQL server that
//! `COVERAGE_TEST_POSTGRES` names. The tests are the same for both.

use std::{
    fs::OpenOptions,
    hash::{DefaultHasher, Hash, Hasher},
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
    thread,
};
use tempfile::TempDir;

/// The URL of the PostgreSQL server, without a database: `postgres://user@%2Fpath%2Fof%2Fsocket`.
const SERVER: &str = "COVERAGE_TEST_POSTGRES";

/// Whether tests run on PostgreSQL.
pub fn is_postgres() -> bool {
    std::env::var_os(SERVER).is_some()
}

/// The URL of the database that belongs to a folder. On PostgreSQL it is created.
pub fn database_url(folder: &Path) -> String {
    match std::env::var(SERVER) {
        Err(_) => url_of_file(&file_in(folder)),
        Ok(server) => create(&server, &name_for(folder), "template1"),
    }
}

/// Like [`database_url`]; a database that does not exist is created with all tables. Most tests start a server on one that is
/// new, and creating the tables takes longer than most tests. `migrate` creates them once in the database of a URL.
pub fn migrated_database_url<M>(folder: &Path, migrate: fn(String) -> M) -> String
where
    M: Future<Output = ()> + Send + 'static,
{
    let migrate = |url| run(migrate(url));
    match std::env::var(SERVER) {
        Err(_) => {
            let file = file_in(folder);
            if !file.exists() {
                // As private as the service creates it.
                OpenOptions::new()
                    .write(true)
                    .create_new(true)
                    .mode(0o600)
                    .open(&file)
                    .and_then(|mut file| file.write_all(migrated_file(migrate)))
                    .expect("a file for the database");
            }
            url_of_file(&file)
        }
        Ok(server) => create(
            &server,
            &name_for(folder),
            migrated_template(&server, migrate),
        ),
    }
}

/// A SQLite file with all tables.
fn migrated_file(migrate: impl FnOnce(String)) -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let folder = TempDir::new().expect("a folder");
        let file = file_in(folder.path());
        migrate(url_of_file(&file));
        std::fs::read(file).expect("the file of the database")
    })
}

/// The name of a PostgreSQL database with all tables. It is removed with the server, which is temporary.
fn migrated_template(server: &str, migrate: impl FnOnce(String)) -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let name = format!("template_{}", std::process::id());
        migrate(create(server, &name, "template1"));
        name
    })
}

/// Removes the database that belongs to a folder, even if it is in use.
pub fn remove_database(folder: &Path) {
    match std::env::var(SERVER) {
        Err(_) => {
            // SQLite would apply the rest of the write-ahead log to a new file.
            for file in ["coverage.db", "coverage.db-wal", "coverage.db-shm"] {
                std::fs::remove_file(folder.join(file)).ok();
            }
        }
        Ok(server) => {
            let name = name_for(folder);
            psql(
                &server,
                &format!("drop database if exists {name} with (force)"),
            );
        }
    }
}

fn file_in(folder: &Path) -> PathBuf {
    folder.join("coverage.db")
}

fn url_of_file(file: &Path) -> String {
    format!("sqlite://{}", file.display())
}

/// Creates a database unless it exists, and returns its URL.
fn create(server: &str, name: &str, template: &str) -> String {
    // Copying files is three times as fast as writing them to the WAL.
    let statement = format!("create database {name} template {template} strategy file_copy");
    psql(server, &statement);
    format!("{server}/{name}")
}

/// Runs it to its end in a thread of its own: the runtime of a test must not block.
fn run(work: impl Future<Output = ()> + Send + 'static) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    thread::spawn(move || runtime.block_on(work))
        .join()
        .expect("a database with all tables");
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
