//! What the repositories are rendered from: on the server from the database, in the browser from an answer of the service.

use domain::{ListOrder, MoreRepositories, RepositoryStorage, StorageColumn, Stored, Timestamp};

/// The first repositories in an order.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// When they were read.
    pub(crate) at: Timestamp,
    /// All HTML reports.
    pub(crate) total: Stored,
    /// The order, if it is not the largest first.
    pub(crate) order: Option<ListOrder<StorageColumn>>,
    /// The repositories.
    pub(crate) rows: Vec<RepositoryStorage>,
    /// The other ones.
    pub(crate) more: MoreRepositories,
}
