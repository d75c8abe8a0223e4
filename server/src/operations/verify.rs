//! Compares the database with the stored reports, and the tables derived from records with the records.
//!
//! A service may run at the same time. So each suspected finding is checked again before it is reported, in an order that
//! detects an upload or a removal in between.

mod database;
mod finding;
mod objects;
mod outcome;

pub(crate) use finding::{Finding, Repair, repair};
pub(crate) use objects::Contents;
pub(crate) use outcome::Outcome;

use ::objects::{Reports, ReportsError};
use std::io;
use store::{Store, StoreError};
use thiserror::Error;

/// Why the check or the repair is incomplete.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(crate) enum VerifyError {
    /// The database failed.
    #[error("cannot use the database")]
    Store(#[from] StoreError),
    /// The storage failed.
    #[error("cannot use the reports")]
    Reports(#[from] ReportsError),
    /// A bug in this program.
    #[error("checking failed")]
    Panicked(#[from] tokio::task::JoinError),
    /// The output was closed.
    #[error("cannot print")]
    Output(#[from] io::Error),
}

/// Checks everything, and reports findings to `outcome`, also the findings before an error.
pub(crate) async fn verify(
    store: &Store,
    reports: &Reports,
    contents: Contents,
    outcome: &mut Outcome<'_>,
) -> Result<(), VerifyError> {
    database::check(store, outcome).await?;
    objects::check(store, reports, contents, outcome).await
}
