//! Checks the bucket at the start, so that an operator sees mistakes before the first upload.

use super::{Bucket, StorageError, error::Kind};
use futures::TryStreamExt;
use object_store::{ObjectStore, ObjectStoreExt};
use std::{io, time::Duration};
use thiserror::Error;
use tokio::time::timeout;

/// The object that a start writes, reads and removes. Services that start at the same time share it.
pub(super) const PROBE: &str = ".probe";

/// How long a start waits for the storage.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Why a bucket cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BucketError {
    /// The environment variables do not describe a storage.
    #[error("the AWS_ variables do not describe a storage ({0})")]
    Settings(StorageError),
    /// The bucket does not exist.
    #[error("there is no bucket {bucket} at {endpoint}; create it, because the service does not")]
    NoBucket {
        /// The name of the bucket.
        bucket: String,
        /// The address of the storage.
        endpoint: String,
    },
    /// The credentials are wrong, or a needed operation is not allowed.
    #[error("{endpoint} does not let these credentials {what} ({error})")]
    Refused {
        /// The refused operation.
        what: &'static str,
        /// The address of the storage.
        endpoint: String,
        /// The error of the storage.
        error: StorageError,
    },
    /// The storage does not answer like an object storage.
    #[error("{endpoint} does not answer as an object storage does ({error})")]
    Failed {
        /// The address of the storage.
        endpoint: String,
        /// The error of the request.
        error: StorageError,
    },
    /// The folder for temporary files cannot be used.
    #[error("{0}")]
    Scratch(io::Error),
    /// The storage does not answer in time.
    #[error("{0} did not answer within {seconds} seconds", seconds = TIMEOUT.as_secs())]
    Silent(String),
}

/// Tries every operation that the service uses once.
pub(super) async fn probe(bucket: &Bucket, endpoint: Option<&str>) -> Result<(), BucketError> {
    let endpoint = endpoint.unwrap_or("AWS");
    let failed = |what: &'static str| {
        move |error: object_store::Error| {
            let error = StorageError::of(&error);
            let endpoint = endpoint.to_owned();
            match error.kind {
                Kind::Missing => BucketError::NoBucket {
                    bucket: bucket.url.bucket.clone(),
                    endpoint,
                },
                Kind::Refused => BucketError::Refused {
                    what,
                    endpoint,
                    error,
                },
                _ => BucketError::Failed { endpoint, error },
            }
        }
    };
    let path = bucket.path(PROBE);
    let probed = async {
        // Without the right to list, a storage does not report a missing object.
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
            // Another service that starts at the same time removed the object.
            Err(object_store::Error::NotFound { .. }) => {}
            read => drop(read.map_err(failed("read from it"))?),
        }
        match bucket.store.delete(&path).await {
            Err(object_store::Error::NotFound { .. }) => Ok(()),
            removed => removed.map_err(failed("remove from it")),
        }
    };
    match timeout(TIMEOUT, probed).await {
        Ok(probed) => probed,
        Err(_) => Err(BucketError::Silent(endpoint.to_owned())),
    }
}
