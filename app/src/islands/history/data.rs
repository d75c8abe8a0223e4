//! The data of the rendered records: on the server from the database, in the browser from an answer of the service.

use crate::links::{self, ReportLinks};
use domain::{
    BranchName, History, HistoryPlace, Percentage, Repository, RepositoryQuery, Timestamp,
};
use serde::{Deserialize, Serialize};

/// The data that an answer does not contain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) target: Percentage,
    /// The repository, as `org/repo`.
    pub(super) repository: String,
    pub(super) reports: ReportLinks,
}

/// A page of the records of a branch.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// When they were read.
    pub(crate) now: Timestamp,
    pub(crate) repository: Repository,
    /// The choices of the page.
    pub(crate) query: RepositoryQuery,
    /// The branch.
    pub(crate) branch: BranchName,
    pub(crate) history: History,
}

impl Rows {
    /// The address of another page of the history.
    pub(super) fn link(&self, place: HistoryPlace) -> String {
        let query = RepositoryQuery {
            place,
            ..self.query.clone()
        };
        let page = links::repository_page(&self.repository, &query);
        format!("{page}#history")
    }
}
