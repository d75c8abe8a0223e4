//! Whether a balancer should send requests here: the database answers, reports can be stored, and nobody is stopping.

use crate::{
    reports::{Reports, ReportsError},
    store::{Store, StoreError},
    text::chain,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use thiserror::Error;
use tokio::{sync::Mutex, time::timeout};

/// How long what was found out counts: however many balancers ask, the disk hears of it so often.
const LASTING: Duration = Duration::from_secs(2);

/// How long each part may take to answer; a database that hangs is as good as none.
const PATIENCE: Duration = Duration::from_secs(2);

/// Why nothing should be sent here. The text is for people, and tells nothing that strangers should not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotReady {
    /// The service was told to stop.
    #[error("The service is stopping; send requests to another instance.")]
    Stopping,
    /// The database does not answer.
    #[error("The database does not answer; the log of the service says why.")]
    Database,
    /// Reports cannot be written.
    #[error("Reports cannot be stored; the log of the service says why.")]
    Reports,
}

/// Finds it out. Clones share what was found.
#[derive(Clone, Debug)]
pub struct Readiness {
    store: Store,
    reports: Reports,
    is_stopping: Arc<AtomicBool>,
    /// Held while it is found out, so that this is done once however many ask.
    found: Arc<Mutex<Option<Found>>>,
}

#[derive(Clone, Copy, Debug)]
struct Found {
    at: Instant,
    outcome: Result<(), NotReady>,
}

impl Readiness {
    /// Of a service that has these.
    pub fn new(store: Store, reports: Reports) -> Self {
        Self {
            store,
            reports,
            is_stopping: Arc::default(),
            found: Arc::default(),
        }
    }

    /// From now on the answer is no, whatever else is well.
    pub fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    /// Whether requests should be sent here.
    ///
    /// # Errors
    ///
    /// The reason why not.
    pub async fn check(&self) -> Result<(), NotReady> {
        let outcome = self.parts().await;
        // Last, since the parts may take their time.
        match self.is_stopping.load(Ordering::Relaxed) {
            true => Err(NotReady::Stopping),
            false => outcome,
        }
    }

    async fn parts(&self) -> Result<(), NotReady> {
        let mut found = self.found.lock().await;
        if let Some(found) = found.filter(|found| found.at.elapsed() < LASTING) {
            return found.outcome;
        }
        let outcome = self.ask().await;
        *found = Some(Found {
            at: Instant::now(),
            outcome,
        });
        outcome
    }

    async fn ask(&self) -> Result<(), NotReady> {
        match timeout(PATIENCE, self.store.ping()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(database(Some(&error))),
            Err(_) => return Err(database(None)),
        }
        match timeout(PATIENCE, self.reports.check()).await {
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
