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
    most_running: usize,
    most_waiting: usize,
    patience: Duration,
}

impl UploadQueue {
    /// As `limits` say.
    pub fn new(limits: &Limits) -> Self {
        let most_running = limits.concurrent_uploads.into();
        let most_waiting = limits.waiting_uploads.into();
        Self {
            places: Arc::new(Semaphore::new(most_running)),
            waiting: Arc::new(Semaphore::new(most_waiting)),
            most_running,
            most_waiting,
            patience: Duration::from_secs(limits.upload_wait_seconds),
        }
    }

    /// Uploads that have a place.
    pub fn running(&self) -> usize {
        self.most_running - self.places.available_permits()
    }

    /// Uploads that wait for one.
    pub fn waiting(&self) -> usize {
        self.most_waiting - self.waiting.available_permits()
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
