//! Threads for blocking work on stored reports.

use std::sync::Arc;
use tokio::{
    sync::Semaphore,
    task::{self, JoinError},
};

/// Limits how many readers run at the same time. Reads of a disk end soon; readers that wait for a network must leave threads to
/// others.
#[derive(Clone, Debug, Default)]
pub struct Threads(Option<Arc<Semaphore>>);

impl Threads {
    /// Allows at most `most` readers at the same time; the others wait.
    pub(super) fn limited(most: usize) -> Self {
        Self(Some(Arc::new(Semaphore::new(most))))
    }

    /// Runs the work in a separate thread. Fails if the work panics.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        let permit = match &self.0 {
            // The semaphore is never closed.
            Some(permits) => permits.clone().acquire_owned().await.ok(),
            None => None,
        };
        task::spawn_blocking(move || {
            let done = work();
            drop(permit);
            done
        })
        .await
    }
}
