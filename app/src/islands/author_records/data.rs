//! The data of the rendered records: on the server from the database, in the browser from an answer of the service.

use crate::links::{self, ReportLinks};
use domain::{
    AuthorColumn, AuthorQuery, AuthorRecord, ListOrder, Percentage, RecordPlace, Timestamp,
};
use serde::{Deserialize, Serialize};

/// The data that an answer does not contain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) target: Percentage,
    pub(super) author: String,
    pub(super) reports: ReportLinks,
}

/// A page of the records of an author.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// When they were read.
    pub(crate) now: Timestamp,
    /// The choices of the page.
    pub(crate) query: AuthorQuery,
    pub(crate) records: Vec<AuthorRecord>,
    /// Where the next page starts.
    pub(crate) next: Option<RecordPlace>,
}

impl Rows {
    /// The order, if it is not newest first.
    pub(super) fn order(&self) -> Option<ListOrder<AuthorColumn>> {
        self.query.order.filter(|_| self.query.after.is_none())
    }

    /// The address of another page of the records.
    pub(super) fn link(
        &self,
        after: Option<RecordPlace>,
        order: Option<ListOrder<AuthorColumn>>,
    ) -> String {
        links::author_records(&AuthorQuery {
            after,
            order,
            ..self.query.clone()
        })
    }
}
