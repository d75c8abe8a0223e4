//! Reads an object of a bucket by ranges.

use super::{Bucket, StorageError};
use bytes::Bytes;
use futures::{StreamExt, stream::BoxStream};
use object_store::{GetOptions, ObjectStore, ObjectStoreExt, path::Path};
use std::{
    fmt,
    ops::Range,
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

/// A report in the bucket. The object under a key never changes.
#[derive(Clone, Debug)]
pub(crate) struct StoredObject {
    pub(super) bucket: Bucket,
    path: Path,
    /// The size in bytes.
    pub(crate) size: u64,
    pub(crate) modified: SystemTime,
}

impl StoredObject {
    /// Opens the object by requesting its size. Blocks.
    pub(super) fn open(bucket: Bucket, path: Path) -> Result<Self, StorageError> {
        let about = bucket.wait(bucket.store.head(&path))?;
        Ok(Self {
            size: about.size,
            modified: about.last_modified.into(),
            bucket,
            path,
        })
    }

    /// Fetches a range into memory. Blocks.
    pub(super) fn fetch(&self, range: Range<u64>) -> Result<Bytes, StorageError> {
        if range.is_empty() {
            return Ok(Bytes::new());
        }
        self.bucket
            .wait(self.bucket.store.get_range(&self.path, range))
    }

    /// Streams a range. Blocks until the response starts.
    pub(super) fn stream(&self, range: Range<u64>) -> Result<ObjectStream, StorageError> {
        let options = GetOptions::new().with_range(Some(range));
        let answer = self
            .bucket
            .wait(self.bucket.store.get_opts(&self.path, options))?;
        Ok(ObjectStream {
            bucket: self.bucket.clone(),
            chunks: Mutex::new(answer.into_stream()),
        })
    }
}

/// The response to one request. It is received only as fast as it is read.
pub(super) struct ObjectStream {
    bucket: Bucket,
    /// Never locked: the mutex only makes the type `Sync`.
    chunks: Mutex<BoxStream<'static, object_store::Result<Bytes>>>,
}

impl ObjectStream {
    /// Returns the next piece. `None` at the end. Blocks.
    pub(super) fn next(&mut self) -> Result<Option<Bytes>, StorageError> {
        let chunks = self
            .chunks
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        self.bucket.wait(async { chunks.next().await.transpose() })
    }
}

impl fmt::Debug for ObjectStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectStream").finish_non_exhaustive()
    }
}
