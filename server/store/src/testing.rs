//! A database for each test, for the engine that the tests run on.

#[path = "../../tests/it/harness/database.rs"]
#[expect(
    clippy::disallowed_methods,
    reason = "a variable names the server for tests"
)]
mod database;

pub(super) use database::is_postgres;
use database::{database_url, migrated_database_url, remove_database};

use super::Store;
use std::ops::Deref;
use tempfile::TempDir;

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
