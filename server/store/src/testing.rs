//! A database for each test, for the engine that the tests run on.

#[allow(unreachable_pub)] // the tests of the whole service share this file
#[path = "../../tests/it/harness/database.rs"]
#[expect(
    clippy::disallowed_methods,
    reason = "a variable names the server for tests"
)]
mod database;

pub(super) use database::is_postgres;
use database::{database_url, migrated_database_url, remove_database};

use super::{MainRight, NewRecord, Stated, Store, actor::Actor};
use domain::Percentage;
use std::ops::Deref;
use tempfile::TempDir;

/// The content of an upload in Rust by Kim with 50.00 %, without lines and report.
pub(super) fn new_record(repository: &str, branch: &str, commit: &str) -> NewRecord {
    NewRecord {
        stated: Stated {
            repository: repository.parse().expect("a repository"),
            branch: branch.parse().expect("a branch"),
            commit: commit.parse().expect("a commit"),
            language: "rust".parse().expect("a language"),
            forge_claim: None,
            main_right: MainRight::Granted,
            change: Default::default(),
            settings: None,
            owners: None,
            announced: Default::default(),
        },
        author: "Kim".parse().expect("an author"),
        percentage: Percentage::from_basis_points(5_000),
        lines: None,
        branches: None,
        functions: None,
        report_format: "cobertura",
        details: Default::default(),
        ignore: Default::default(),
        line_states: None,
        sources: Vec::new(),
        report: None,
        by: Actor::service(),
        part: Default::default(),
    }
}

/// An empty database, removed when dropped.
pub(super) struct TestStore {
    store: Store,
    folder: TempDir,
}

impl TestStore {
    pub(super) async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let url = migrated_database_url(folder.path(), create_tables);
        TestStore {
            store: Store::open(&url).await.expect("a database"),
            folder,
        }
    }
}

async fn create_tables(url: String) {
    let store = Store::open(&url).await.expect("a database");
    store.close().await;
}

pub(super) struct TestDatabase(TempDir);

impl TestDatabase {
    pub(super) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(super) fn url(&self) -> String {
        database_url(self.0.path())
    }

    pub(super) async fn open(self) -> TestStore {
        TestStore {
            store: Store::open(&self.url()).await.expect("a database"),
            folder: self.0,
        }
    }
}

impl Deref for TestStore {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

impl Drop for TestStore {
    fn drop(&mut self) {
        remove_database(self.folder.path());
    }
}
