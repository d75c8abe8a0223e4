//! Threads for what blocks on stored reports.

use std::sync::Arc;
use tokio::{
    sync::Semaphore,
    task::{self, JoinError},
};

/// How many may read at once. Reads of a disk end soon; those that wait for a network must leave threads to others.
#[derive(Clone, Debug, Default)]
pub struct Threads(Option<Arc<Semaphore>>);

impl Threads {
    /// At most so many; further ones wait.
    pub(super) fn limited(most: usize) -> Self {
        Self(Some(Arc::new(Semaphore::new(most))))
    }

    /// Does the work in a thread of its own.
    ///
    /// # Errors
    ///
    /// When the work panics.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        let place = match &self.0 {
            // It is never closed.
            Some(places) => places.clone().acquire_owned().await.ok(),
            None => None,
        };
        task::spawn_blocking(move || {
            let done = work();
            drop(place);
            done
        })
        .await
    }
}
