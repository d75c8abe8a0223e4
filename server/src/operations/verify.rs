//! Comparing the database with the stored reports, and what is kept beside records with the records.
//!
//! A service may be running meanwhile: what looks wrong is looked at once more before it is called so, in an order in which
//! an upload or a removal that came in between is seen.

mod database;
mod finding;
mod objects;
mod outcome;
mod repair;

pub use finding::{Finding, Repair};
pub use objects::Contents;
pub use outcome::Outcome;
pub use repair::repair;

use crate::{
    reports::{Reports, ReportsError},
    store::{Store, StoreError},
};
use std::io;
use thiserror::Error;

/// Why not all could be looked at, or not all repaired.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
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

/// Checks everything, and tells `outcome` what is found.
///
/// # Errors
///
/// When the database or the storage fails: what was found until then was told.
pub async fn verify(
    store: &Store,
    reports: &Reports,
    contents: Contents,
    outcome: &mut Outcome<'_>,
) -> Result<(), VerifyError> {
    database::check(store, outcome).await?;
    objects::check(store, reports, contents, outcome).await
}
