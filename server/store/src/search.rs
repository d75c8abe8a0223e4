//! Finds repositories, branches, commits, pull requests, files, authors and owners by parts of their names.

mod authors;
mod branches;
mod commits;
mod compared;
mod files;
mod owners;
mod pull_requests;
mod repositories;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(super) use {
    authors::AUTHORS, branches::queries, commits::COMMITS, files::OTHERS, owners::OWNERS,
    pull_requests::PULL_REQUESTS,
};

use super::{Reader, StoreError, names, run::Run};
use domain::{BranchName, CommitAuthor, CommitHash, OrgName, PullRequest, Repository};
use sqlx::FromRow;

/// The maximum number of results of each kind.
const MOST_FOUND: usize = 10;

/// The results of a search, the best of each kind first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The branches.
    pub branches: Vec<FoundBranch>,
    /// The commits.
    pub commits: Vec<FoundCommit>,
    /// The pull requests.
    pub pull_requests: Vec<FoundPullRequest>,
    /// The files of main branches.
    pub files: Vec<FoundFile>,
    /// The authors.
    pub authors: Vec<CommitAuthor>,
    /// The owners, as they were counted last.
    pub owners: Vec<FoundOwner>,
}

/// A branch that a search found.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct FoundBranch {
    /// The repository.
    #[sqlx(flatten)]
    pub repository: Repository,
    /// The branch.
    pub branch: BranchName,
}

/// The newest record of a commit that a search found.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct FoundCommit {
    /// The repository.
    #[sqlx(flatten)]
    pub repository: Repository,
    /// The branch of the record.
    pub branch: BranchName,
    /// The commit.
    #[sqlx(rename = "commit_hash")]
    pub commit: CommitHash,
    /// The id of the record.
    pub record_id: i64,
}

/// A pull request that a search found.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct FoundPullRequest {
    /// The repository.
    #[sqlx(flatten)]
    pub repository: Repository,
    /// Its number.
    #[sqlx(rename = "pull_request")]
    pub number: PullRequest,
}

/// A file that a search found in the current record of a main branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// The repository.
    pub repository: Repository,
    /// Its path.
    pub path: String,
    /// The id of the record.
    pub record_id: i64,
}

/// An owner that a search found in the repositories of an org.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundOwner {
    /// The org, without its groups.
    pub org: OrgName,
    /// The owner, as in CODEOWNERS.
    pub owner: String,
}

impl Reader {
    /// Returns the results for the words of `text`. Results of the repository `first` come before others.
    pub async fn search(
        &self,
        text: &str,
        first: Option<&Repository>,
    ) -> Result<Found, StoreError> {
        let first = match first {
            Some(repository) => self.id_of(repository).await?,
            None => None,
        };
        // One after the other, so that a search uses one connection.
        Ok(Found {
            branches: self.branches_found(text, first).await?,
            commits: self.commits_found(text, first).await?,
            pull_requests: self.pull_requests_found(text, first).await?,
            files: self.files_found(text, first).await?,
            authors: self.authors_found(text).await?,
            owners: self.owners_found(text).await?,
        })
    }

    async fn id_of(&self, repository: &Repository) -> Result<Option<i64>, StoreError> {
        let Some(store) = self.sees(repository) else {
            return Ok(None);
        };
        store.first_value(names::ID, [repository]).await
    }
}
