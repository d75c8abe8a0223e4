//! The data of the rendered tables: on the server from the database, in the browser from an answer of the service.

use crate::links::ReportLinks;
use domain::{OrgSummary, OverviewQuery, Percentage, RepositoryRow, Timestamp};
use serde::{Deserialize, Serialize};

/// The settings of the service that rows depend on. The page contains them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) target: Percentage,
    pub(super) reports: ReportLinks,
}

#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) now: Timestamp,
    /// The query, with the page number that is shown.
    pub(super) query: OverviewQuery,
    pub(super) pages: u32,
    pub(super) rows: Vec<RepositoryRow>,
    pub(super) orgs: Vec<OrgSummary>,
}

#[cfg(any(feature = "hydrate", test))]
impl Rows {
    /// Reads an answer to `query`. Fails if a name is not valid, because another release wrote it.
    pub(super) fn of(
        query: OverviewQuery,
        answer: crate::api::OverviewAnswer,
    ) -> Result<Self, domain::NameError> {
        let rows = answer.rows.into_iter().map(RepositoryRow::try_from);
        let orgs = answer.orgs.into_iter().map(OrgSummary::try_from);
        Ok(Self {
            now: answer.now,
            query: OverviewQuery {
                page: answer.page,
                ..query
            },
            pages: answer.pages,
            rows: rows.collect::<Result<_, _>>()?,
            orgs: orgs.collect::<Result<_, _>>()?,
        })
    }
}
