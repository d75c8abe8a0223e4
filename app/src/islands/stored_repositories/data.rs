//! The data of the rendered repositories: on the server from the database, in the browser from an answer of the service.

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
    pub(crate) rows: Vec<RepositoryStorage>,
    /// The sums of the other repositories.
    pub(crate) more: MoreRepositories,
}
