//! The database that a command of the command line works on: it is named, and never made.

use crate::store::{Store, StoreError};
use std::io::Write;

/// Opens the database at `url` for a command, and tells `notes` which one it is: without `DATABASE_URL` a command would
/// look for one below the folder that it was started in.
pub(crate) async fn open(url: &str, notes: &mut impl Write) -> Result<Store, StoreError> {
    // A command does not depend on somebody reading along.
    drop(writeln!(notes, "Database: {}", named(url)));
    Store::open_existing(url).await
}

/// The URL as people may see it. Where it depends on the current folder, it is made absolute.
fn named(url: &str) -> String {
    let Some(file) = url.strip_prefix("sqlite:") else {
        return without_password(url);
    };
    let file = file.strip_prefix("//").unwrap_or(file);
    let file = file.split('?').next().unwrap_or(file);
    let absolute = std::path::absolute(file).unwrap_or_else(|_| file.into());
    format!("sqlite://{}", absolute.display())
}

/// `user:password@` of a URL must not reach a log, and no parameter of it either: one may be a password.
pub(crate) fn without_password(url: &str) -> String {
    let (begin, parameters) = url.split_once('?').unwrap_or((url, ""));
    match (begin.find("://"), begin.rfind('@')) {
        (Some(scheme), Some(at)) if scheme < at => {
            format!("{}://…{}", &begin[..scheme], &begin[at..])
        }
        // The `?` may be of a password that should have been encoded.
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
