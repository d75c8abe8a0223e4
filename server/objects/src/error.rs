//! The errors of stored reports.

use super::{StorageError, bucket::Kind};
use std::io;
use thiserror::Error;

/// Why a report could not be written or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportsError {
    /// No report has this key.
    #[error("the report is missing from the storage")]
    Missing,
    /// The disk or the bucket is full.
    #[error("the storage is full")]
    Full(#[source] io::Error),
    /// A stored report is not a zip file of this service.
    #[error("the stored report is damaged")]
    Damaged(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Any other failure of a file.
    #[error("the report's file failed")]
    Io(#[source] io::Error),
    /// The object storage failed or refused the request. The request may still have taken effect.
    #[error("the object storage failed")]
    Storage(#[source] StorageError),
}

impl From<io::Error> for ReportsError {
    fn from(error: io::Error) -> Self {
        match error.downcast::<StorageError>() {
            Ok(error) => error.into(),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound => Self::Missing,
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full(error),
                _ => Self::Io(error),
            },
        }
    }
}

impl From<StorageError> for ReportsError {
    fn from(error: StorageError) -> Self {
        match error.kind {
            Kind::Missing => Self::Missing,
            Kind::Full => Self::Full(error.into()),
            Kind::Refused | Kind::Other => Self::Storage(error),
        }
    }
}
