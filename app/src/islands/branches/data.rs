//! The data of the rendered branches: on the server from the database, in the browser from an answer of the service.

use crate::links::{self, ReportLinks};
use domain::{BranchName, BranchPage, Percentage, Repository, RepositoryQuery, Timestamp};
use serde::{Deserialize, Serialize};

/// The data that an answer does not contain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) target: Percentage,
    /// The repository, as `org/repo`.
    pub(super) repository: String,
    /// The branch that the page shows.
    pub(super) branch: String,
    pub(super) reports: ReportLinks,
}

/// A page of the branches of a repository.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// When they were read.
    pub(crate) now: Timestamp,
    pub(crate) repository: Repository,
    /// The choices of the page.
    pub(crate) query: RepositoryQuery,
    /// The branch that the page shows.
    pub(crate) branch: BranchName,
    pub(crate) main_branch: BranchName,
    pub(crate) branches: BranchPage,
}

impl Rows {
    /// The address of this page with a changed query.
    pub(super) fn link(&self, choose: impl FnOnce(&mut RepositoryQuery)) -> String {
        let mut query = self.query.clone();
        choose(&mut query);
        links::repository_page(&self.repository, &query)
    }
}
