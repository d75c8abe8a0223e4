//! Reports in a bucket of an S3-compatible object storage. Each report is an object, which becomes visible when it is complete.
//!
//! Reads and writes block, as for files. The runtime that opened the bucket sends the requests.

mod directory;
mod error;
mod object;
mod probe;
mod reader;
mod settings;
mod upload;

pub(crate) use directory::Directory;
pub(crate) use error::Kind;
pub use error::StorageError;
pub(crate) use object::StoredObject;
pub(crate) use reader::ObjectReader;
pub(crate) use upload::ObjectUpload;

use crate::{AwsVariables, BucketUrl, path_of, threads::Threads};
use futures::TryStreamExt;
use object_store::{ObjectStore, ObjectStoreExt, path::Path};
use std::{fmt, sync::Arc};
use tokio::runtime::Handle;
use tokio_util::task::TaskTracker;

/// The most readers that wait for the storage at the same time. More readers wait for a permit.
const MAX_READERS: usize = 128;

/// The bucket, or the part of it under a prefix. Clones share their connections.
#[derive(Clone)]
pub(crate) struct Bucket {
    store: Arc<dyn ObjectStore>,
    url: Arc<BucketUrl>,
    runtime: Handle,
    pub(super) threads: Threads,
    /// Uploads that are being aborted.
    ending: TaskTracker,
}

impl Bucket {
    /// Connects to the bucket, which must exist, and checks that all needed operations are allowed. The error is a sentence for
    /// the operator.
    pub(crate) async fn open(url: &BucketUrl, variables: &AwsVariables) -> Result<Self, String> {
        let store = settings::client(url, variables).map_err(|error| {
            let error = StorageError::of(&error);
            format!("the AWS_ variables do not describe a storage ({error})")
        })?;
        let bucket = Self {
            store: Arc::new(store),
            url: Arc::new(url.clone()),
            runtime: Handle::current(),
            threads: Threads::limited(MAX_READERS),
            ending: TaskTracker::new(),
        };
        probe::probe(&bucket, settings::endpoint(variables)).await?;
        Ok(bucket)
    }

    pub(super) fn upload(&self, key: &str) -> ObjectUpload {
        ObjectUpload::new(self.clone(), self.path(&path_of(key)))
    }

    /// Returns the object under a key. Blocks.
    pub(super) fn object(&self, key: &str) -> Result<StoredObject, StorageError> {
        StoredObject::open(self.clone(), self.path(&path_of(key)))
    }

    /// Removes an object. A missing object is an error. Blocks.
    pub(super) fn remove(&self, key: &str) -> Result<(), StorageError> {
        let path = self.path(&path_of(key));
        self.wait(async {
            // The answer to a deletion does not state whether there was an object.
            self.store.head(&path).await?;
            self.store.delete(&path).await
        })
    }

    /// Returns the names of all objects in a shard. Blocks.
    pub(super) fn names(&self, shard: &str) -> Result<Vec<String>, StorageError> {
        let below = self.path(shard);
        let listed = self.wait(async {
            let mut names = Vec::new();
            let mut objects = self.store.list(Some(&below));
            while let Some(object) = objects.try_next().await? {
                names.extend(object.location.filename().map(str::to_owned));
            }
            Ok(names)
        });
        listed.map_err(StorageError::of_all)
    }

    /// Fails if the bucket itself is missing: the answer about one object does not show this. Blocks.
    pub(super) fn is_there(&self) -> Result<(), StorageError> {
        let below = self.path("");
        let listed = self.wait(async { self.store.list(Some(&below)).try_next().await });
        listed.map(drop).map_err(StorageError::of_all)
    }

    /// Checks that the storage answers requests with these credentials. Blocks.
    pub(super) fn check(&self) -> Result<(), StorageError> {
        let answer = self.wait(self.store.head(&self.path(probe::PROBE)));
        match answer {
            Err(error) if error.kind != Kind::Missing => Err(error),
            _ => Ok(()),
        }
    }

    /// Waits until all background requests have ended.
    pub(crate) async fn close(&self) {
        self.ending.close();
        self.ending.wait().await;
    }

    fn path(&self, below: &str) -> Path {
        Path::from(format!("{}/{below}", self.url.prefix))
    }

    /// Sends requests and waits for the result. Blocks.
    fn wait<T>(
        &self,
        requests: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, StorageError> {
        let done = self.runtime.block_on(requests);
        done.map_err(|error| StorageError::of(&error))
    }
}

impl fmt::Debug for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bucket({})", self.url)
    }
}
