//! From an address to a report: what serving needs, and what of it is kept in memory.

use super::{
    address::{Target, Version},
    protection::Protection,
    representation::{Form, Representation},
    storage_shim::STAND_IN,
};
use crate::{
    config::Origin,
    http::{error::ApiError, security::ReportHeaders},
    reports::{ReportObject, Reports, ReportsError, Threads, byte_cache::ByteCache},
    routes::fresh_cache::{FreshCache, Weighed},
    state::AppState,
    store::{Store, StoredReport},
    text::chain,
};
use std::{sync::Arc, time::Duration};
use tokio::time::timeout;

/// Memory for files that were asked for, each in the form that was sent.
const FILES_BYTES: usize = 32 << 20;
const FILES: usize = 16 << 10;

/// Versions whose keys are remembered, in about 150 bytes each.
const VERSIONS: usize = 4 << 10;

/// That a record has no report, or is none.
pub(super) fn no_report(id: &str) -> ApiError {
    ApiError::not_found(format!(
        "There is no report of a record {id}. If it was removed, /records/{id} says when."
    ))
}

/// That the record's report is not in the storage, although it should be.
pub(super) fn gone(id: i64) -> ApiError {
    ApiError::not_found(format!(
        "This report is gone: the files of record {id} are not in the storage any more. Its numbers are still at /records/{id}; upload the commit again to bring the report back."
    ))
}

/// How long the database may take to say whether an open report is still there.
const DATABASE_ANSWER: Duration = Duration::from_secs(2);

/// A record's number, as what is kept of its report is found by.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct RecordId(i64);

impl Weighed for RecordId {
    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}

/// Whether a record has a report.
#[derive(Clone, Copy)]
struct HasReport(bool);

impl Weighed for HasReport {
    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}

/// All that serving reports needs.
pub(super) struct Serving {
    pub(super) store: Store,
    reports: Reports,
    /// Where the dashboard's overview is.
    pub(super) dashboard: String,
    pub(super) needs_stand_in: bool,
    /// The origin of reports, where they have one of their own.
    pub(super) own_origin: Option<Arc<Origin>>,
    /// Where reading is protected.
    pub(super) protection: Option<Protection>,
    /// What, beside an object's own bytes, is in what browsers keep.
    form: Vec<u8>,
    /// The key of the object that a version of a record's report names; it is the same for ever.
    keys: ByteCache<(i64, Version), Arc<str>>,
    /// Whether records still have reports: what is open here may have been deleted by another process.
    has_report: FreshCache<RecordId, HasReport>,
    pub(super) files: ByteCache<FileKey, Arc<Representation>>,
}

/// A file in one form; the path is the one that was asked for, which may be a folder's.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct FileKey {
    pub(super) object: Arc<str>,
    pub(super) path: String,
    pub(super) form: Form,
}

/// A path in a record's report.
pub(super) struct Located {
    pub(super) id: i64,
    pub(super) target: Target,
    /// Of the report that the record has now, or that its address names.
    pub(super) version: Version,
    pub(super) key: Arc<str>,
    pub(super) object: Arc<ReportObject>,
}

impl Serving {
    pub(super) fn new(state: &AppState, headers: &ReportHeaders) -> Self {
        let has_own_origin = state.reports_origin.is_some();
        // Releases that sent every page alike there have said of none that it depends on the frame.
        let in_frames: &[u8] = if has_own_origin { b"in frames" } else { b"" };
        Self {
            store: state.store.clone(),
            reports: state.reports.clone(),
            dashboard: match has_own_origin {
                true => format!("{}/", state.public_url.0),
                false => "/".to_owned(),
            },
            needs_stand_in: !has_own_origin,
            own_origin: state.reports_origin.clone(),
            protection: Protection::of(state),
            form: [STAND_IN.as_bytes(), headers.fingerprint(), in_frames].concat(),
            keys: ByteCache::new(usize::MAX, VERSIONS),
            has_report: FreshCache::new(state.store.watcher()),
            files: ByteCache::new(FILES_BYTES, FILES),
        }
    }

    pub(super) fn version(&self, key: &str) -> Version {
        Version::new(key, &self.form)
    }

    /// The stored report of the record with this id.
    pub(super) async fn find(&self, id: &str) -> Result<(i64, StoredReport), ApiError> {
        let missing = || no_report(id);
        let number = id.parse().map_err(|_| missing())?;
        let stored = self.store.report(number).await?.ok_or_else(missing)?;
        Ok((number, stored))
    }

    /// The stored report of a record, opened. A retry may replace and remove it in between: then there is another.
    pub(super) async fn open(
        &self,
        id: &str,
    ) -> Result<(i64, Version, Arc<str>, Arc<ReportObject>), ApiError> {
        let (number, mut stored) = self.find(id).await?;
        let object = match self.get(stored.key.clone()).await? {
            Err(ReportsError::Missing) => {
                stored = self.find(id).await?.1;
                match self.get(stored.key.clone()).await? {
                    Err(ReportsError::Missing) => {
                        tracing::error!(
                            record = number,
                            key = stored.key,
                            "the report of a record is not in the storage; `verify` lists all of them"
                        );
                        return Err(gone(number));
                    }
                    object => object?,
                }
            }
            object => object?,
        };
        let (version, key): (_, Arc<str>) = (self.version(&stored.key), stored.key.into());
        self.keys.put((number, version), key.clone(), 0);
        Ok((number, version, key, object))
    }

    async fn get(&self, key: String) -> Result<Result<Arc<ReportObject>, ReportsError>, ApiError> {
        let reports = self.reports.clone();
        let got = self.threads().run(move || reports.get(&key)).await;
        got.map_err(|error| ApiError::unavailable(&error))
    }

    /// Threads for reading reports.
    pub(super) fn threads(&self) -> Threads {
        self.reports.threads()
    }

    /// Forgets that a report is open, which is gone from the storage.
    pub(super) fn close(&self, key: &str) {
        self.reports.close(key);
    }

    /// Refuses an open report whose record was deleted, or whose report was removed. Nothing is read from the database but
    /// its version, as long as that stays the same.
    async fn must_be_there(&self, id: i64) -> Result<(), ApiError> {
        let look_up = async {
            let report = self.store.report(id).await;
            report.map(|report| HasReport(report.is_some()))
        };
        match timeout(DATABASE_ANSWER, self.has_report.get(RecordId(id), look_up)).await {
            Ok(Ok(HasReport(false))) => Err(no_report(&id.to_string())),
            Ok(Ok(HasReport(true))) => Ok(()),
            // What is open goes on while the database is away: nobody can delete anything then.
            Ok(Err(error)) => {
                tracing::warn!(
                    record = id,
                    cause = chain(&error),
                    "an open report is served unchecked"
                );
                Ok(())
            }
            Err(_) => {
                tracing::warn!(
                    record = id,
                    "an open report is served unchecked: the database does not answer"
                );
                Ok(())
            }
        }
    }

    /// The report behind an address. One that names a version needs no more of the database than its version while the
    /// report is open.
    pub(super) async fn locate(&self, id: &str, target: Target) -> Result<Located, ApiError> {
        let known = || {
            let version = target.segment?.version;
            let number = id.parse().ok()?;
            let key = self.keys.get(&(number, version))?;
            let object = self.reports.opened(&key)?;
            Some((number, version, key, object))
        };
        let (id, version, key, object) = match known() {
            Some(known) => {
                self.must_be_there(known.0).await?;
                known
            }
            None => self.open(id).await?,
        };
        Ok(Located {
            id,
            target,
            version,
            key,
            object,
        })
    }
}
