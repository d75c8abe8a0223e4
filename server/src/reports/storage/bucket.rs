//! Reports in a bucket of an S3-compatible object storage: each is an object, visible once all of it has come.
//!
//! Whoever writes and reads here blocks, as with files. Requests are made by the runtime that the bucket was opened in.

mod directory;
mod error;
mod object;
mod probe;
mod reader;
mod settings;
mod upload;

pub(in crate::reports) use directory::{Directory, DirectoryReader};
use error::Kind;
pub use error::StorageError;
pub(in crate::reports) use object::StoredObject;
pub use probe::BucketError;
pub(in crate::reports) use reader::ObjectReader;
pub(in crate::reports) use upload::ObjectUpload;

use super::path_of;
use crate::{
    config::{AwsVariables, BucketUrl},
    reports::threads::Threads,
};
use futures::TryStreamExt;
use object_store::{ObjectStore, ObjectStoreExt, path::Path};
use std::{fmt, sync::Arc};
use tokio::runtime::Handle;
use tokio_util::task::TaskTracker;

/// Readers that wait for the storage at once; further ones wait for these.
const READERS: usize = 128;

/// The bucket, or the part of it under a prefix. Clones share their connections.
#[derive(Clone)]
pub(in crate::reports) struct Bucket {
    store: Arc<dyn ObjectStore>,
    url: Arc<BucketUrl>,
    runtime: Handle,
    threads: Threads,
    /// Uploads that are being given up.
    ending: TaskTracker,
}

impl Bucket {
    /// Reaches the bucket, which has to be there, and finds out whether all that is needed may be done in it.
    pub(in crate::reports) async fn open(
        url: &BucketUrl,
        variables: &AwsVariables,
    ) -> Result<Self, BucketError> {
        let store =
            settings::client(url, variables).map_err(|error| BucketError::settings(&error))?;
        let bucket = Self {
            store: Arc::new(store),
            url: Arc::new(url.clone()),
            runtime: Handle::current(),
            threads: Threads::limited(READERS),
            ending: TaskTracker::new(),
        };
        probe::probe(&bucket, settings::endpoint(variables)).await?;
        Ok(bucket)
    }

    /// Threads for readers.
    pub(super) fn threads(&self) -> &Threads {
        &self.threads
    }

    /// Begins an object.
    pub(super) fn upload(&self, key: &str) -> ObjectUpload {
        ObjectUpload::new(self.clone(), self.path(&path_of(key)))
    }

    /// What there is under a key. Blocks.
    pub(super) fn object(&self, key: &str) -> Result<StoredObject, StorageError> {
        StoredObject::open(self.clone(), self.path(&path_of(key)))
    }

    /// Removes an object; an error that says so where there is none. Blocks.
    pub(super) fn remove(&self, key: &str) -> Result<(), StorageError> {
        let path = self.path(&path_of(key));
        self.wait(async {
            // The storage itself does not say whether there was one.
            self.store.head(&path).await?;
            self.store.delete(&path).await
        })
    }

    /// The names of all objects below one of the parts of the prefix. Blocks.
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

    /// Fails where the bucket itself is gone: nothing is said of that when one object is asked for. Blocks.
    pub(super) fn is_there(&self) -> Result<(), StorageError> {
        let below = self.path("");
        let asked = self.wait(async { self.store.list(Some(&below)).try_next().await });
        asked.map(drop).map_err(StorageError::of_all)
    }

    /// Whether the storage answers who asks with these credentials. Blocks.
    pub(super) fn check(&self) -> Result<(), StorageError> {
        let asked = self.wait(self.store.head(&self.path(probe::PROBE)));
        match asked {
            Err(error) if error.kind != Kind::Missing => Err(error),
            _ => Ok(()),
        }
    }

    /// Waits until nothing is under way any more that nobody waits for.
    pub(in crate::reports) async fn close(&self) {
        self.ending.close();
        self.ending.wait().await;
    }

    fn path(&self, below: &str) -> Path {
        Path::from(format!("{}/{below}", self.url.prefix))
    }

    /// Makes requests and waits for their end. Blocks.
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
