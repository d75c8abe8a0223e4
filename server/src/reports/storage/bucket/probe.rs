//! What a start finds out about a bucket, so that an operator hears of a mistake then and not with the first upload.

use super::{Bucket, StorageError, error::Kind};
use futures::TryStreamExt;
use object_store::{ObjectStore, ObjectStoreExt};
use std::{io, time::Duration};
use thiserror::Error;
use tokio::time::timeout;

/// Written, read and removed at a start. Services that start together may meet here.
pub(super) const PROBE: &str = ".probe";

/// How long a start waits for the storage.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why a bucket cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BucketError {
    /// The variables of the environment are no description of a storage.
    #[error("the AWS_ variables do not say how to reach it ({0})")]
    Settings(StorageError),
    /// It does not exist.
    #[error("there is no bucket {bucket} at {endpoint}; make it, it is never made here")]
    NoBucket {
        /// Its name.
        bucket: String,
        /// The storage.
        endpoint: String,
    },
    /// The credentials are wrong, or not good for something that is needed.
    #[error("{endpoint} does not let these credentials {what} ({said})")]
    Refused {
        /// What they have to be good for.
        what: &'static str,
        /// The storage.
        endpoint: String,
        /// What it said.
        said: StorageError,
    },
    /// The storage does not answer.
    #[error("{endpoint} does not answer as an object storage does ({said})")]
    Failed {
        /// The storage.
        endpoint: String,
        /// What happened.
        said: StorageError,
    },
    /// There is no place for files that an upload needs for a while.
    #[error("{0}")]
    Scratch(io::Error),
    /// It takes too long to.
    #[error("{0} did not answer within {seconds} seconds", seconds = PATIENCE.as_secs())]
    Silent(String),
}

impl BucketError {
    pub(super) fn settings(error: &object_store::Error) -> Self {
        Self::Settings(StorageError::of(error))
    }
}

/// Does once what will be done with reports.
pub(super) async fn probe(bucket: &Bucket, endpoint: Option<&str>) -> Result<(), BucketError> {
    let endpoint = endpoint.unwrap_or("AWS");
    let failed = |what: &'static str| {
        move |error: object_store::Error| {
            let said = StorageError::of(&error);
            let endpoint = endpoint.to_owned();
            match said.kind {
                Kind::Missing => BucketError::NoBucket {
                    bucket: bucket.url.bucket.clone(),
                    endpoint,
                },
                Kind::Refused => BucketError::Refused {
                    what,
                    endpoint,
                    said,
                },
                _ => BucketError::Failed { endpoint, said },
            }
        }
    };
    let path = bucket.path(PROBE);
    let probed = async {
        // Without the right to list, a storage does not say of an object that it is missing.
        bucket
            .store
            .list(Some(&path))
            .try_next()
            .await
            .map_err(failed("list its objects"))?;
        let content = env!("CARGO_PKG_NAME").into();
        bucket
            .store
            .put(&path, content)
            .await
            .map_err(failed("write to it"))?;
        match bucket.store.get(&path).await {
            // Another service that starts has just removed it.
            Err(object_store::Error::NotFound { .. }) => {}
            read => drop(read.map_err(failed("read from it"))?),
        }
        match bucket.store.delete(&path).await {
            Err(object_store::Error::NotFound { .. }) => Ok(()),
            removed => removed.map_err(failed("remove from it")),
        }
    };
    match timeout(PATIENCE, probed).await {
        Ok(probed) => probed,
        Err(_) => Err(BucketError::Silent(endpoint.to_owned())),
    }
}
