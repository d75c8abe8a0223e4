//! Renaming and merging repositories, or all those of an organisation: one transaction that leaves everything that is kept
//! beside records as if they had always been called so.

use super::{give_keys, org, repository};
use crate::store::{
    Store, StoreError,
    actor::Actor,
    audit::{self, AuditChange},
    write::{begin, settle},
};
use domain::{AuditAction, NameError, OrgName, Repository};
use sqlx::{Any, AnyConnection, Transaction};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// All repositories of an organisation and of the groups below it.
    Org(OrgName),
    /// One repository.
    Repository(Repository),
}

/// Whether what is there already may be added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HowNamesChange {
    /// Nothing may have the new name.
    Rename,
    /// What has it takes the records in.
    Merge,
}

/// A change of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameChange {
    /// What is called otherwise from now on.
    pub from: Named,
    /// Its new name, of the same kind.
    pub to: Named,
    /// Whether there may be such already.
    pub how: HowNamesChange,
}

/// A repository that is called otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// How it was called.
    pub from: Repository,
    /// How it is called.
    pub to: Repository,
    /// Its records, where they were added to those of another one.
    pub merged: Option<Merged>,
}

impl Moved {
    fn audited(&self) -> AuditChange {
        let (action, subject) = match &self.merged {
            None => (AuditAction::RepositoryRenamed, "repository".to_owned()),
            Some(merged) => (
                AuditAction::RepositoryMerged,
                format!(
                    "{} records added, {} commits that both had",
                    merged.records, merged.replaced
                ),
            ),
        };
        AuditChange::of(action, &self.to, subject)
            .before(self.from.to_string())
            .after(self.to.to_string())
    }
}

/// What became of the records of a repository that was merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Records that were added.
    pub records: u64,
    /// Commits that both had, of which the last upload stays.
    pub replaced: u64,
    /// Reports of those that did not stay.
    pub reports: u64,
}

/// What was changed, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamesChanged {
    /// The repositories, the oldest first.
    pub repositories: Vec<Moved>,
    /// Names of tokens in force that are for the new name instead of the old one.
    pub tokens_moved: Vec<String>,
    /// Names of tokens in force that are for the old name only.
    pub tokens_left: Vec<String>,
}

/// Why names are not changed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NameChangeError {
    /// The database failed.
    #[error("cannot use the database")]
    Store(#[from] StoreError),
    /// There is nothing of that name.
    #[error("nothing was ever uploaded to {0}")]
    Unknown(Named),
    /// A group has the name that a repository was looked for by.
    #[error("{0} is a group of repositories; say --org where all of it is meant")]
    IsGroup(Repository),
    /// The new name is taken.
    #[error("there is {0} already; to add the records to it, use `coverage-dashboard merge`")]
    Taken(Repository),
    /// There is nothing to merge into.
    #[error("there is no {0} to merge into; to change a name, use `coverage-dashboard rename`")]
    NoTarget(Named),
    /// Both names stand for the same.
    #[error("{0} is already called so")]
    Same(Named),
    /// A repository is in an organisation, which decides how its own name is written.
    #[error(
        "{0} is already called so; the name of its organisation is changed by `coverage-dashboard rename OLD NEW --org`"
    )]
    OrgDecides(Repository),
    /// One name is an organisation's, the other a repository's.
    #[error(
        "name two repositories, or two organisations; a group of repositories, such as acme/platform, is named with --org"
    )]
    TwoKinds,
    /// The new name of a group would be too long.
    #[error("a new name is not valid")]
    Name(#[from] NameError),
}

impl From<sqlx::Error> for NameChangeError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

impl Store {
    /// Changes names, or, where `is_dry`, finds out what that would change.
    ///
    /// # Errors
    ///
    /// When it cannot be done; nothing has changed then.
    pub async fn change_names(
        &self,
        asked: &NameChange,
        is_dry: bool,
        by: &Actor,
    ) -> Result<NamesChanged, NameChangeError> {
        let mut connection = self.writer.acquire().await?;
        let changed = change(&mut connection, asked, is_dry, by).await;
        match changed {
            Err(NameChangeError::Store(error)) => Ok(settle(connection, Err(error)).await?),
            changed => changed,
        }
    }
}

async fn change(
    connection: &mut AnyConnection,
    asked: &NameChange,
    is_dry: bool,
    by: &Actor,
) -> Result<NamesChanged, NameChangeError> {
    let mut transaction = begin(connection).await?;
    let changed = match (&asked.from, &asked.to) {
        (Named::Repository(from), Named::Repository(to)) => {
            repository::change(&mut transaction, from, to, asked.how).await
        }
        (Named::Org(from), Named::Org(to)) => {
            org::change(&mut transaction, from, to, asked.how).await
        }
        _ => Err(NameChangeError::TwoKinds),
    };
    match changed {
        Ok(changed) if !is_dry => {
            commit(transaction, &changed, by).await?;
            Ok(changed)
        }
        other => {
            transaction.rollback().await?;
            other
        }
    }
}

/// The one place where a change of names is committed, together with its rows in the audit log.
async fn commit(
    mut transaction: Transaction<'_, Any>,
    changed: &NamesChanged,
    by: &Actor,
) -> Result<(), StoreError> {
    give_keys(&mut transaction).await?;
    for moved in &changed.repositories {
        audit::write(&mut transaction, by, &moved.audited()).await?;
    }
    Ok(transaction.commit().await?)
}

impl Named {
    /// Reads a name: an organisation's where it is said so, or where it has no `/`.
    ///
    /// # Errors
    ///
    /// Where it is no name.
    pub fn read(text: &str, is_org: bool) -> Result<Self, NameError> {
        Ok(match is_org || !text.contains('/') {
            true => Self::Org(OrgName::from_str(text)?),
            false => Self::Repository(Repository::from_str(text)?),
        })
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Org(org) => write!(f, "{org}/…"),
            Self::Repository(repository) => repository.fmt(f),
        }
    }
}
