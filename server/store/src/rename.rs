//! Renames and merges repositories, or all repositories of an org, in one transaction. Afterwards, all data derived from records
//! is as if the records had always had the new names.

mod gates;
mod merge;
mod moving;
mod org;
mod repository;
mod scopes;
#[cfg(test)]
pub(crate) mod tests;

use crate::{
    Named, Operator, StoreError,
    actor::Actor,
    audit::{self, AuditChange},
};
use domain::{AuditAction, NameError, Repository};
use thiserror::Error;

/// Whether the new name may already exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HowNamesChange {
    /// The new name must not exist.
    Rename,
    /// The records are added to the records of the new name.
    Merge,
}

/// A change of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameChange {
    /// The org or repository to rename.
    pub from: Named,
    /// The new name, of the same kind.
    pub to: Named,
    /// Whether the new name may already exist.
    pub how: HowNamesChange,
}

/// A renamed or merged repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The old name.
    pub from: Repository,
    /// The new name.
    pub to: Repository,
    /// The result of the merge, if the records were added to another repository.
    pub merged: Option<Merged>,
}

impl Moved {
    fn audited(&self) -> AuditChange {
        let (action, subject) = match &self.merged {
            None => (AuditAction::RepositoryRenamed, "repository".to_owned()),
            Some(merged) => (
                AuditAction::RepositoryMerged,
                format!(
                    "{} records added, {} commits in both",
                    merged.records, merged.replaced
                ),
            ),
        };
        AuditChange::of(action, &self.to, subject)
            .before(self.from.to_string())
            .after(self.to.to_string())
    }
}

/// The result of merging a repository's records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Records that were added.
    pub records: u64,
    /// The number of commits that both repositories have. The newer upload of each stays.
    pub replaced: u64,
    /// The number of HTML reports of the older uploads, which are removed.
    pub reports: u64,
}

/// The result of a name change, or of its dry run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamesChanged {
    /// The repositories, oldest first.
    pub repositories: Vec<Moved>,
    /// Names of tokens in force whose scope changes to the new name.
    pub tokens_moved: Vec<String>,
    /// Names of tokens in force that still cover only the old name.
    pub tokens_left: Vec<String>,
}

/// Why names cannot be changed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NameChangeError {
    /// The database failed.
    #[error("cannot use the database")]
    Store(#[from] StoreError),
    /// The name does not exist.
    #[error("nothing was ever uploaded to {0}")]
    Unknown(Named),
    /// The name of the repository is the name of a group.
    #[error("{0} is a group of repositories; use --org to change the whole group")]
    IsGroup(Repository),
    /// The new name already exists.
    #[error("{0} already exists; to add the records to it, use `coverage-dashboard merge`")]
    Taken(Repository),
    /// The repository or org to merge into does not exist.
    #[error("there is no {0} to merge into; to change a name, use `coverage-dashboard rename`")]
    NoTarget(Named),
    /// Both names are the same.
    #[error("{0} already has this name")]
    Same(Named),
    /// Changing one repository cannot change the spelling of its org.
    #[error(
        "{0} already has this name; to change the name of its org, use `coverage-dashboard rename OLD NEW --org`"
    )]
    OrgDecides(Repository),
    /// One name is an org, the other a repository.
    #[error(
        "give two repositories or two orgs; for a group of repositories, such as acme/platform, use --org"
    )]
    TwoKinds,
    /// The new name of a group would be too long.
    #[error("a new name is not valid")]
    Name(#[from] NameError),
}

impl Operator<'_> {
    /// Changes names. If `is_dry`, only determines what would change.
    ///
    /// # Errors
    ///
    /// If the change is not possible. Nothing has changed then.
    pub async fn change_names(
        self,
        requested: &NameChange,
        is_dry: bool,
        by: &Actor,
    ) -> Result<NamesChanged, NameChangeError> {
        let mut transaction = self.store.begin().await?;
        let changed = match (&requested.from, &requested.to) {
            (Named::Repository(from), Named::Repository(to)) => {
                repository::change(&mut transaction, from, to, requested.how).await?
            }
            (Named::Org(from), Named::Org(to)) => {
                org::change(&mut transaction, from, to, requested.how).await?
            }
            _ => return Err(NameChangeError::TwoKinds),
        };
        if !is_dry {
            for moved in &changed.repositories {
                audit::write(&mut transaction, by, &moved.audited()).await?;
            }
            transaction.commit().await?;
        }
        Ok(changed)
    }
}
