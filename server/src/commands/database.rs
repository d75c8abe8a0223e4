//! The database and the storage that a command uses. Commands never create one.

use super::CommandError;
use clap::Args;
use objects::{AwsVariables, Reports, ReportsUrl};
use std::io::Write;
use store::{Store, StoreError};

/// Which database a command uses.
#[derive(Clone, Debug, Args)]
pub struct DatabaseArguments {
    /// The database of the service; it may be running.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/coverage.db",
        global = true
    )]
    pub database_url: String,
}

/// Which storage of HTML reports a command uses.
#[derive(Clone, Debug, Args)]
pub struct StorageArguments {
    /// Where the service stores HTML reports.
    #[arg(
        long,
        env = "REPORTS_URL",
        default_value = "public/reports",
        global = true
    )]
    pub reports_url: ReportsUrl,

    /// How to connect to a bucket.
    #[arg(skip = AwsVariables::of_process())]
    pub aws: AwsVariables,
}

impl StorageArguments {
    /// Opens the stored reports. `failed` is the start of the error, before their URL.
    pub(crate) async fn open(&self, failed: &str) -> Result<Reports, CommandError> {
        let url = &self.reports_url;
        let opened = Reports::open_existing(url, &self.aws).await;
        opened.map_err(CommandError::failed(format!("{failed} in {url}")))
    }
}

impl DatabaseArguments {
    /// Opens the database for `work`, as [`Self::open`] does, and closes it.
    pub(crate) async fn with<T, Notes: Write>(
        &self,
        notes: &mut Notes,
        work: impl AsyncFnOnce(&Store, &mut Notes) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        let store = self.open(notes).await?;
        let done = work(&store, notes).await;
        store.close().await;
        done
    }

    /// Opens the database and writes its URL to `notes`: without `DATABASE_URL` a command uses a file below the current
    /// folder, which may be the wrong one.
    pub(crate) async fn open(&self, notes: &mut impl Write) -> Result<Store, StoreError> {
        self.name(notes);
        Store::open_existing(&self.database_url).await
    }

    /// Like [`Self::open`], for a database of any schema.
    pub(crate) async fn open_to_copy(&self, notes: &mut impl Write) -> Result<Store, StoreError> {
        self.name(notes);
        Store::open_to_copy(&self.database_url).await
    }

    fn name(&self, notes: &mut impl Write) {
        // A closed standard error does not stop the command.
        drop(writeln!(notes, "Database: {}", named(&self.database_url)));
    }
}

/// Returns the URL without its password. A relative path becomes absolute.
fn named(url: &str) -> String {
    let Some(file) = url.strip_prefix("sqlite:") else {
        return without_password(url);
    };
    let file = file.strip_prefix("//").unwrap_or(file);
    let file = file.split('?').next().unwrap_or(file);
    let absolute = std::path::absolute(file).unwrap_or_else(|_| file.into());
    format!("sqlite://{}", absolute.display())
}

/// Removes `user:password@` and all parameters from a URL, so that no password reaches a log: a parameter may be a password.
pub(crate) fn without_password(url: &str) -> String {
    let (begin, parameters) = url.split_once('?').unwrap_or((url, ""));
    match (begin.find("://"), begin.rfind('@')) {
        (Some(scheme), Some(at)) if scheme < at => {
            format!("{}://…{}", &begin[..scheme], &begin[at..])
        }
        // The `?` may belong to a password that should have been encoded.
        (Some(scheme), _) if parameters.contains('@') => format!("{}://…", &begin[..scheme]),
        _ => begin.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_of_urls_are_never_logged() {
        for url in [
            "postgres://user:s3cret@host/db",
            "postgres://user:s3cret@host/db?sslmode=require",
            "postgres://host/db?user=u&password=s3cret",
            "postgres://user:s3c@ret@host/db",
        ] {
            for logged in [without_password(url), named(url)] {
                assert!(
                    !logged.contains("s3c") && logged.contains("host/db"),
                    "{logged}"
                );
            }
        }
        assert_eq!(without_password("sqlite://a/b.db"), "sqlite://a/b.db");
        for url in [
            "postgres://user:s3c?ret@host/db",
            "postgres://u:s3c?r@t@host",
        ] {
            assert_eq!(without_password(url), "postgres://…");
        }
    }

    #[test]
    fn a_relative_database_path_is_shown_with_the_current_folder() {
        let here = std::env::current_dir().expect("a folder");
        let below = format!("sqlite://{}/data/c.db", here.display());
        for url in ["sqlite://data/c.db", "sqlite:data/c.db?mode=ro"] {
            assert_eq!(named(url), below);
        }
        for url in ["sqlite:///srv/c.db", "sqlite:///srv/x@y/c.db"] {
            assert_eq!(named(url), url);
        }
    }
}
