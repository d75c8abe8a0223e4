//! The data of an author's page.

use super::{
    AuthorColumn, BranchName, CommitAuthor, Language, ListedRecord, Order, RecordPosition,
    Repository, Timestamp, query::query,
};

query! {
    /// A query for an author's page.
    pub struct AuthorQuery {
        (
            /// The name, as sent by CI jobs.
            pub author: CommitAuthor,
        )
        /// Only records of this repository.
        pub repository: Option<Repository> = "repo",
        /// Only records in this language.
        pub language: Option<Language> = "language",
        /// Only records after this position in the list; the newest records if `None`.
        pub after: Option<RecordPosition> = "after",
        /// The first records in this order; the newest first if `None`. `after` overrides it.
        pub order: Option<Order<AuthorColumn>> = "records",
    }
}

/// An author with a page of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorDetail {
    /// When the page was built; ages are relative to it.
    pub now: Timestamp,
    /// The query.
    pub query: AuthorQuery,
    /// Summary of the newest records.
    pub summary: AuthorSummary,
    /// The records of this page, the newest first or in the order of the query.
    pub records: Vec<AuthorRecord>,
    /// Where the next page starts; `None` on the last page, and if the order is not newest first.
    pub next: Option<RecordPosition>,
    /// Whether these are all records that the query selects.
    pub is_whole: bool,
}

/// Counts over the newest records of an author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorSummary {
    /// The number of records.
    pub records: u32,
    /// Whether older records were not counted: the cost of a page must not grow with the history.
    pub is_cut: bool,
    /// The repositories, each with its number of records, the most recently uploaded first.
    pub repositories: Vec<(Repository, u32)>,
    /// The languages, by name.
    pub languages: Vec<Language>,
    /// When the newest record was uploaded.
    pub last_upload: Timestamp,
}

/// One record of an author.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct AuthorRecord {
    /// The repository.
    #[cfg_attr(feature = "sql", sqlx(flatten))]
    pub repository: Repository,
    /// The branch.
    pub branch: BranchName,
    /// The record. Its change is since the previous record on its branch, of any author.
    #[cfg_attr(feature = "sql", sqlx(flatten))]
    pub record: ListedRecord,
}
