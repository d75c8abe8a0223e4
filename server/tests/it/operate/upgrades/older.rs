//! Databases of earlier schemas, with the data that a service of that schema would have written.

use super::seed;
use crate::harness::{
    TOKEN, TestServer, Zip, ZipEntry, database_url, files_below, is_postgres, remove_database,
};
use sqlx::{
    AnyConnection, AssertSqlSafe, Connection,
    migrate::{Migration, Migrator},
};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

static SQLITE: Migrator = sqlx::migrate!("../migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("../migrations/postgres");

/// The page of the seeded report.
pub const PAGE: &str = "<h1>seeded</h1>";

/// The keys of the seeded reports: of record 6, and of a report that was replaced long ago.
const KEPT: &str = "ab5eed";
const REPLACED: &str = "cd1eff";

fn migrations() -> &'static Migrator {
    if is_postgres() { &POSTGRES } else { &SQLITE }
}

/// The number of the newest schema.
pub fn newest() -> i64 {
    let versions = migrations().iter().map(|migration| migration.version);
    versions.max().unwrap()
}

/// A folder with a database and reports. Nothing of it is left when it is dropped, unless a server took it over.
pub struct Older {
    folder: Option<TempDir>,
    url: String,
}

impl Older {
    /// Makes a database of a schema, and fills it.
    pub async fn of_schema(schema: i64) -> Self {
        let older = Self::empty(schema).await;
        let mut database = older.database().await;
        let report = report();
        seed::fill(&mut database, schema, report.len()).await;
        database.close().await.unwrap();
        for (key, content) in [(KEPT, report), (REPLACED, b"left".to_vec())] {
            let file = older.report(key);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, content).unwrap();
        }
        older
    }

    /// Makes a database of a schema without data.
    pub async fn empty(schema: i64) -> Self {
        let folder = TempDir::new().unwrap();
        let older = Self {
            url: database_url(folder.path()),
            folder: Some(folder),
        };
        let subset = migrations().iter();
        let subset: Vec<Migration> = subset
            .filter(|migration| migration.version <= schema)
            .cloned()
            .collect();
        let mut database = older.database().await;
        Migrator::with_migrations(subset)
            .run_direct(None, &mut database, false)
            .await
            .unwrap();
        database.close().await.unwrap();
        older
    }

    pub fn folder(&self) -> &Path {
        self.folder.as_ref().unwrap().path()
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// A connection for statements of the test.
    pub async fn database(&self) -> AnyConnection {
        store::install_drivers();
        let create = if is_postgres() { "" } else { "?mode=rwc" };
        let url = format!("{}{create}", self.url);
        let mut database = AnyConnection::connect(&url).await.unwrap();
        // A database that is thrown away needs no syncs.
        if !is_postgres() {
            execute(&mut database, "pragma synchronous = off").await;
        }
        database
    }

    /// The number of its schema now.
    pub async fn schema(&self) -> i64 {
        let mut database = self.database().await;
        let schema = sqlx::query_scalar("select coalesce(max(version), 0) from _sqlx_migrations")
            .fetch_one(&mut database)
            .await
            .unwrap();
        database.close().await.unwrap();
        schema
    }

    /// Starts the service on it, with the reports in its folder whatever the run uses.
    pub async fn start(mut self) -> TestServer {
        let folder = self.folder.take().unwrap();
        let arguments = ["--upload-token", TOKEN];
        TestServer::start_at(folder, None, &arguments).await
    }

    fn report(&self, key: &str) -> PathBuf {
        let reports = self.folder().join("reports");
        reports.join(&key[..2]).join(format!("{key}.zip"))
    }
}

impl Drop for Older {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder
            && is_postgres()
        {
            remove_database(folder.path());
        }
    }
}

/// The HTML report of record 6, as the service stores it.
fn report() -> Vec<u8> {
    let page = ZipEntry::deflated("index.html", PAGE);
    Zip::new().entry(page).bytes()
}

/// The seeded reports that are still stored, by their keys.
pub fn stored(server: &TestServer) -> Vec<String> {
    let files = files_below(server.folder.path().join("reports"));
    let names = files.iter().map(|file| file.file_stem().unwrap());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    names
        .filter(|name| [KEPT, REPLACED].contains(&name.as_str()))
        .collect()
}

/// Runs statements.
pub async fn execute(database: &mut AnyConnection, statements: &str) {
    sqlx::raw_sql(AssertSqlSafe(statements.to_owned()))
        .execute(database)
        .await
        .unwrap_or_else(|error| panic!("{error}: {statements}"));
}
