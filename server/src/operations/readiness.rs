//! Whether a load balancer should send requests here: the database answers, reports can be stored, and the service is not
//! stopping.

use domain::text::chain;
use objects::{Reports, ReportsError};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use store::{Store, StoreError};
use thiserror::Error;
use tokio::{sync::Mutex, time::timeout};

/// How long a result is cached. It limits how often load balancers cause a check of the disk.
const CACHE_TIME: Duration = Duration::from_secs(2);

/// How long each part may take to answer. A database that hangs counts as unavailable.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Why no request should be sent here. The text is for people and contains nothing confidential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotReady {
    /// The service is stopping.
    #[error("The service is stopping; send requests to another instance.")]
    Stopping,
    /// The database does not answer.
    #[error("The database does not answer; see the log of the service.")]
    Database,
    /// Reports cannot be written.
    #[error("Reports cannot be stored; see the log of the service.")]
    Reports,
}

/// Checks the readiness. Clones share the cached result.
#[derive(Clone, Debug)]
pub struct Readiness {
    store: Store,
    reports: Reports,
    is_stopping: Arc<AtomicBool>,
    /// Held during the check, so that concurrent requests cause only one.
    found: Arc<Mutex<Option<Found>>>,
}

#[derive(Clone, Copy, Debug)]
struct Found {
    at: Instant,
    outcome: Result<(), NotReady>,
}

impl Readiness {
    /// Creates the check of a service with this database and storage.
    pub fn new(store: Store, reports: Reports) -> Self {
        Self {
            store,
            reports,
            is_stopping: Arc::default(),
            found: Arc::default(),
        }
    }

    /// Makes every later check fail.
    pub fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    /// Checks whether requests should be sent here.
    pub async fn check(&self) -> Result<(), NotReady> {
        let outcome = self.parts().await;
        // Read this last, because the service may be stopped during the check.
        if self.is_stopping.load(Ordering::Relaxed) {
            Err(NotReady::Stopping)
        } else {
            outcome
        }
    }

    async fn parts(&self) -> Result<(), NotReady> {
        let mut found = self.found.lock().await;
        if let Some(found) = found.filter(|found| found.at.elapsed() < CACHE_TIME) {
            return found.outcome;
        }
        let outcome = self.check_parts().await;
        *found = Some(Found {
            at: Instant::now(),
            outcome,
        });
        outcome
    }

    async fn check_parts(&self) -> Result<(), NotReady> {
        match timeout(TIMEOUT, self.store.ping()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(database(Some(&error))),
            Err(_) => return Err(database(None)),
        }
        match timeout(TIMEOUT, self.reports.check()).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(storage(Some(&error))),
            Err(_) => Err(storage(None)),
        }
    }
}

fn database(error: Option<&StoreError>) -> NotReady {
    let cause = error.map_or("no answer in time".to_owned(), |error| chain(error));
    tracing::warn!(cause, "not ready: the database does not answer");
    NotReady::Database
}

fn storage(error: Option<&ReportsError>) -> NotReady {
    let cause = error.map_or("no answer in time".to_owned(), |error| chain(error));
    tracing::warn!(cause, "not ready: reports cannot be stored");
    NotReady::Reports
}
