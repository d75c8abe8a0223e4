//! Uploads an object in parts: one part is sent while the next one fills.

use super::{Bucket, StorageError};
use crate::zip_writer::Unpublished;
use object_store::{MultipartUpload, ObjectStoreExt, path::Path};
use std::{
    io::{self, Write},
    mem,
};
use tokio::task::JoinHandle;

/// The size of a part in bytes. A smaller object is sent in one request; of a larger object, two parts are in memory at a time.
/// Storages accept 10,000 parts. All parts except the last must have the same size, at least 5 MiB. With this size, an object can
/// have 78 GiB.
const PART_BYTES: usize = 8 << 20;

/// An object that is not visible yet. Dropping it aborts the upload.
pub(crate) struct ObjectUpload {
    bucket: Bucket,
    path: Path,
    part: Vec<u8>,
    parts: Option<Parts>,
}

/// A multipart upload that the storage has started.
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

    /// Waits for the previous part, then starts to send this one.
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

impl Unpublished for ObjectUpload {
    /// Sends the rest, and makes the object visible. Blocks.
    fn finish(mut self: Box<Self>) -> io::Result<()> {
        if self.parts.is_none() {
            let content = mem::take(&mut self.part).into();
            self.bucket
                .wait(self.bucket.store.put(&self.path, content))?;
            return Ok(());
        }
        if !self.part.is_empty() {
            self.send_part()?;
        }
        let Self { bucket, parts, .. } = &mut *self;
        if let Some(parts) = parts {
            bucket.wait(async {
                parts.sent().await?;
                parts.upload.complete().await
            })?;
        }
        // `drop` must not abort a finished upload.
        self.parts = None;
        Ok(())
    }
}

impl Parts {
    /// Waits until the storage has accepted the current part.
    async fn sent(&mut self) -> object_store::Result<()> {
        match self.sending.take() {
            Some(sending) => sending.await?,
            None => Ok(()),
        }
    }

    /// Lets the storage remove all parts.
    async fn abort(mut self) -> object_store::Result<()> {
        // A part that arrives after the abort would stay.
        self.sent().await.ok();
        self.upload.abort().await
    }
}

impl Write for ObjectUpload {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let accepted = bytes.len().min(PART_BYTES - self.part.len());
        self.part.extend_from_slice(&bytes[..accepted]);
        if self.part.len() == PART_BYTES {
            self.send_part()?;
        }
        Ok(accepted)
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
        let aborting = async move {
            if let Err(error) = parts.abort().await {
                let cause = StorageError::of(&error);
                tracing::warn!(%path, %cause, "cannot remove the parts of an aborted upload; the bucket's lifecycle rule must remove them");
            }
        };
        self.bucket.ending.spawn_on(aborting, &self.bucket.runtime);
    }
}
