//! Writing an object while it is still being made: in parts, of which one is sent while the next one fills.

use super::{Bucket, StorageError};
use object_store::{MultipartUpload, ObjectStoreExt, path::Path};
use std::{
    io::{self, Write},
    mem,
};
use tokio::task::JoinHandle;

/// Bytes of a part. A smaller object is put at once; of a larger one two parts are in memory at a time. Storages take
/// 10,000 parts, all but the last of the same size and at least 5 MiB each: 80 GiB in all.
const PART_BYTES: usize = 8 << 20;

/// An object that is not visible yet. Dropping it gives it up.
pub(in crate::reports) struct ObjectUpload {
    bucket: Bucket,
    path: Path,
    part: Vec<u8>,
    parts: Option<Parts>,
}

/// An upload in parts that was begun at the storage.
struct Parts {
    upload: Box<dyn MultipartUpload>,
    sending: Option<JoinHandle<object_store::Result<()>>>,
}

impl ObjectUpload {
    pub(super) fn new(bucket: Bucket, path: Path) -> Self {
        Self {
            bucket,
            path,
            part: Vec::new(),
            parts: None,
        }
    }

    /// Sends what is left, and makes the object visible. Whether it is, is not known where this fails. Blocks.
    pub(in crate::reports) fn finish(mut self) -> Result<(), StorageError> {
        if self.parts.is_none() {
            let content = mem::take(&mut self.part).into();
            let put = self.bucket.store.put(&self.path, content);
            return self.bucket.wait(put).map(drop);
        }
        if !self.part.is_empty() {
            self.send_part()?;
        }
        if let Some(parts) = &mut self.parts {
            self.bucket.wait(async {
                parts.sent().await?;
                parts.upload.complete().await
            })?;
        }
        // Nothing of it is to be given up any more.
        self.parts = None;
        Ok(())
    }

    /// Waits for the part before, then has this one sent.
    fn send_part(&mut self) -> Result<(), StorageError> {
        let part = mem::take(&mut self.part);
        let Self {
            bucket,
            path,
            parts,
            ..
        } = self;
        bucket.wait(async {
            let parts = match parts {
                Some(parts) => parts,
                None => parts.insert(Parts {
                    upload: bucket.store.put_multipart(path).await?,
                    sending: None,
                }),
            };
            parts.sent().await?;
            let sending = parts.upload.put_part(part.into());
            parts.sending = Some(bucket.runtime.spawn(sending));
            Ok(())
        })?;
        self.part.reserve_exact(PART_BYTES);
        Ok(())
    }
}

impl Parts {
    /// Waits until the part under way was taken.
    async fn sent(&mut self) -> object_store::Result<()> {
        match self.sending.take() {
            Some(sending) => sending.await?,
            None => Ok(()),
        }
    }

    /// Has the storage forget all parts.
    async fn give_up(mut self) -> object_store::Result<()> {
        // A part that comes after the end would stay.
        self.sent().await.ok();
        self.upload.abort().await
    }
}

impl Write for ObjectUpload {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(PART_BYTES - self.part.len());
        self.part.extend_from_slice(&bytes[..taken]);
        if self.part.len() == PART_BYTES {
            self.send_part()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for ObjectUpload {
    fn drop(&mut self) {
        let Some(parts) = self.parts.take() else {
            return;
        };
        let path = self.path.clone();
        let giving_up = async move {
            if let Err(error) = parts.give_up().await {
                let cause = StorageError::of(&error);
                tracing::warn!(%path, %cause, "parts of an upload are left for the bucket's lifecycle rule to remove");
            }
        };
        self.bucket.ending.spawn_on(giving_up, &self.bucket.runtime);
    }
}
