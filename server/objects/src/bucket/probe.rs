//! Checks the bucket at the start, so that an operator sees mistakes before the first upload.

use super::{Bucket, StorageError, error::Kind};
use futures::TryStreamExt;
use object_store::{ObjectStore, ObjectStoreExt};
use std::time::Duration;
use tokio::time::timeout;

/// The object that a start writes, reads and removes. Services that start at the same time share it.
pub(super) const PROBE: &str = ".probe";

/// How long a start waits for the storage.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Tries every operation that the service uses once. The error is a sentence for the operator.
pub(super) async fn probe(bucket: &Bucket, endpoint: Option<&str>) -> Result<(), String> {
    let endpoint = endpoint.unwrap_or("AWS");
    let failed = |what: &'static str| {
        move |error: object_store::Error| {
            let error = StorageError::of(&error);
            let name = &bucket.url.bucket;
            match error.kind {
                Kind::Missing => format!(
                    "there is no bucket {name} at {endpoint}; create it, because the service does not"
                ),
                Kind::Refused => {
                    format!("{endpoint} does not let these credentials {what} ({error})")
                }
                _ => format!("{endpoint} does not answer as an object storage does ({error})"),
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
    let seconds = TIMEOUT.as_secs();
    let silent = |_| format!("{endpoint} did not answer within {seconds} seconds");
    timeout(TIMEOUT, probed).await.map_err(silent)?
}
