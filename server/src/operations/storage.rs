//! The storage that HTML reports and the database use: read from the database, and cached.

mod disk;
mod quotas;
mod reading;

use app::{AppError, StorageModel};
use async_trait::async_trait;
use chrono::NaiveTime;
use config::{ReportGrace, RetentionError, Rules, Serve};
use domain::{Storage, text::chain};
use objects::ReportsUrl;
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use store::{Quotas, Store};
use tokio::time::timeout;

/// How many times longer metrics use a reading: they are requested day and night.
const RARELY: u32 = 5;

/// How long a page waits for a reading.
const PAGE_WAIT: Duration = Duration::from_secs(10);

/// How long metrics wait for a reading: most of their values do not need it.
const METRICS_WAIT: Duration = Duration::from_secs(3);

/// How long no reading starts after a failed one.
const AFTER_FAILURE: Duration = Duration::from_secs(10);

/// The settings that decide what is removed and when.
#[derive(Clone, Debug)]
struct Settings {
    rules: Result<Rules, RetentionError>,
    prune_at: Option<NaiveTime>,
    grace: ReportGrace,
    quotas: Quotas,
    /// The folder of HTML reports; `None` for a bucket.
    folder: Option<PathBuf>,
}

/// Reads the storage use. Clones share the last reading.
#[derive(Clone, Debug)]
pub struct StorageReader {
    store: Store,
    settings: Settings,
    lasting: Duration,
    kept: Arc<Mutex<Kept>>,
    /// Held by the reading under way: there is one at a time.
    reading: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Debug, Default)]
struct Kept {
    storage: Option<(Instant, Arc<Storage>)>,
    failed: Option<Instant>,
}

impl StorageReader {
    pub fn new(config: &Serve, store: &Store) -> Self {
        let operations = &config.operations;
        Self {
            store: store.clone(),
            settings: Settings {
                rules: config.retention.rules(),
                prune_at: config.prune_at.0,
                grace: config.report_grace,
                quotas: config.limits.quotas(),
                folder: match &config.reports_url {
                    ReportsUrl::Folder(folder) => Some(folder.clone()),
                    ReportsUrl::Bucket(_) => None,
                },
            },
            lasting: Duration::from_secs(operations.storage_cache_seconds),
            kept: Arc::default(),
            reading: Arc::default(),
        }
    }

    /// For metrics, which accept an older reading than pages.
    pub(crate) async fn read_rarely(&self) -> Option<Arc<Storage>> {
        self.read_within(self.lasting * RARELY, METRICS_WAIT).await
    }

    /// Returns a recent reading, or starts one. If that takes too long or fails, returns the previous reading, or `None`.
    async fn read_within(&self, lasting: Duration, wait: Duration) -> Option<Arc<Storage>> {
        let (storage, has_failed) = self.kept();
        if let Some((since, storage)) = &storage
            && since.elapsed() < lasting
        {
            return Some(storage.clone());
        }
        if !has_failed {
            self.start_reading();
        }
        // A reading holds this lock until it has ended.
        let _ = timeout(wait, self.reading.lock()).await;
        self.kept().0.map(|(_, storage)| storage)
    }

    /// Starts a reading in a task of its own, unless one is under way.
    fn start_reading(&self) {
        let Ok(alone) = self.reading.clone().try_lock_owned() else {
            return;
        };
        let reader = self.clone();
        tokio::spawn(async move {
            let read = reading::read(&reader.store, &reader.settings).await;
            let now = Instant::now();
            let mut kept = reader.lock();
            match read {
                Ok(storage) => kept.storage = Some((now, Arc::new(storage))),
                Err(error) => {
                    kept.failed = Some(now);
                    tracing::warn!(cause = chain(&error), "the storage could not be read");
                }
            }
            drop((kept, alone));
        });
    }

    /// Returns the last reading with its time, and whether a reading has failed a short time ago.
    fn kept(&self) -> (Option<(Instant, Arc<Storage>)>, bool) {
        let kept = self.lock();
        let has_failed = kept.failed.is_some_and(|at| at.elapsed() < AFTER_FAILURE);
        (kept.storage.clone(), has_failed)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        // Values are replaced as a whole, so a panic leaves them valid.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl StorageModel for StorageReader {
    async fn storage(&self) -> Result<Arc<Storage>, AppError> {
        let read = self.read_within(self.lasting, PAGE_WAIT).await;
        read.ok_or(AppError::Unavailable)
    }
}
