//! Whether a load balancer should send requests here: the database answers, reports can be stored, and the service is not
//! stopping.

use domain::text::chain;
use objects::Reports;
use std::{
    error::Error,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use store::Store;
use tokio::{sync::Mutex, time::timeout};

/// How long a result is cached. It limits how often load balancers cause a check of the disk.
const CACHE_TIME: Duration = Duration::from_secs(2);

/// How long each part may take to answer. A database that hangs counts as unavailable.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Why no request should be sent here, for people.
const STOPPING: &str = "The service is stopping; send requests to another instance.";
const NO_DATABASE: &str = "The database does not answer; see the log of the service.";
const NO_STORAGE: &str = "Reports cannot be stored; see the log of the service.";

/// Checks the readiness. Clones share the cached result.
#[derive(Clone, Debug)]
pub struct Readiness {
    store: Store,
    reports: Reports,
    is_stopping: Arc<AtomicBool>,
    /// Held during the check, so that concurrent requests cause only one.
    found: Arc<Mutex<Option<(Instant, Outcome)>>>,
}

/// The error is why no request should be sent here.
type Outcome = Result<(), &'static str>;

impl Readiness {
    pub fn new(store: Store, reports: Reports) -> Self {
        Self {
            store,
            reports,
            is_stopping: Arc::default(),
            found: Arc::default(),
        }
    }

    pub fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    pub async fn check(&self) -> Outcome {
        let outcome = self.parts().await;
        // Read this last, because the service may be stopped during the check.
        if self.is_stopping.load(Ordering::Relaxed) {
            Err(STOPPING)
        } else {
            outcome
        }
    }

    async fn parts(&self) -> Outcome {
        let mut found = self.found.lock().await;
        if let Some((at, outcome)) = *found
            && at.elapsed() < CACHE_TIME
        {
            return outcome;
        }
        let outcome = self.check_parts().await;
        *found = Some((Instant::now(), outcome));
        outcome
    }

    async fn check_parts(&self) -> Outcome {
        if let Err(cause) = answer_of(self.store.ping()).await {
            tracing::warn!(cause, "not ready: the database does not answer");
            return Err(NO_DATABASE);
        }
        if let Err(cause) = answer_of(self.reports.check()).await {
            tracing::warn!(cause, "not ready: reports cannot be stored");
            return Err(NO_STORAGE);
        }
        Ok(())
    }
}

async fn answer_of<E: Error>(part: impl Future<Output = Result<(), E>>) -> Result<(), String> {
    match timeout(TIMEOUT, part).await {
        Ok(answer) => answer.map_err(|error| chain(&error)),
        Err(_) => Err("no answer in time".to_owned()),
    }
}
