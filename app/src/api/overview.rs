//! `GET /coverages-api/overview`: one page of the repositories of the overview.

use domain::{OrgSummary, Overview, RepositoryRow, Timestamp};
use serde::{Deserialize, Serialize};

/// One page of repositories, in the requested order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverviewAnswer {
    /// When the answer was built; ages are relative to it.
    pub now: Timestamp,
    /// The number of this page, counted from 1. A number after the last page gives the last page.
    pub page: u32,
    /// The number of pages, at least 1.
    pub pages: u32,
    /// The rows of this page.
    pub rows: Vec<RepositoryRow>,
    /// The orgs of these rows, by name; each summary covers the whole org.
    pub orgs: Vec<OrgSummary>,
}

impl From<Overview> for OverviewAnswer {
    fn from(overview: Overview) -> Self {
        Self {
            now: overview.now,
            page: overview.query.page,
            pages: overview.pages,
            rows: overview.rows,
            orgs: overview.orgs,
        }
    }
}
