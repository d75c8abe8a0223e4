//! Who may go on with an upload: so many at a time, so many that wait, and nobody for ever.

use super::IngestError;
use crate::config::Limits;
use std::{sync::Arc, time::Duration};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// The queue of uploads. They are taken in the order in which they came.
#[derive(Clone, Debug)]
pub struct UploadQueue {
    places: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    patience: Duration,
}

impl UploadQueue {
    /// As `limits` say.
    pub fn new(limits: &Limits) -> Self {
        Self {
            places: Arc::new(Semaphore::new(limits.concurrent_uploads.into())),
            waiting: Arc::new(Semaphore::new(limits.waiting_uploads.into())),
            patience: Duration::from_secs(limits.upload_wait_seconds),
        }
    }

    /// Waits for a place, which is free again once it is dropped.
    ///
    /// # Errors
    ///
    /// [`IngestError::Busy`] where too many wait already, or it took too long.
    pub(super) async fn enter(&self) -> Result<OwnedSemaphorePermit, IngestError> {
        if let Ok(place) = self.places.clone().try_acquire_owned() {
            return Ok(place);
        }
        let _waiting = self.waiting.try_acquire().map_err(|_| IngestError::Busy)?;
        match timeout(self.patience, self.places.clone().acquire_owned()).await {
            Ok(Ok(place)) => Ok(place),
            _ => Err(IngestError::Busy),
        }
    }
}
