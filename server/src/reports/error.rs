//! What can go wrong with stored reports.

use std::io;
use thiserror::Error;

/// Why a report could not be written or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportsError {
    /// There is no report under this key.
    #[error("the report is not stored here")]
    Missing,
    /// The disk has no room left.
    #[error("the disk is full")]
    Full(#[source] io::Error),
    /// A stored report is not a zip file that this service wrote.
    #[error("the stored report is damaged")]
    Damaged(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Any other failure.
    #[error("the report's file failed")]
    Io(#[source] io::Error),
}

impl From<io::Error> for ReportsError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full(error),
            _ => Self::Io(error),
        }
    }
}
