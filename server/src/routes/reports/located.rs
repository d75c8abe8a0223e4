//! Finds the report of an address, and caches files and keys.

use super::{
    address::{Segment, Version},
    reader_address::Protection,
    representation::{Form, Representation},
    storage_shim::SCRIPT,
};
use crate::{
    fresh_cache::{FreshCache, Weighed},
    http::{error::ApiError, security::ReportHeaders},
    routes::record_id::RecordId,
    state::AppState,
};
use config::Origin;
use domain::text::chain;
use futures::poll;
use objects::{ReportObject, Reports, ReportsError, byte_cache::ByteCache};
use std::{pin::pin, sync::Arc, task::Poll, time::Duration};
use store::{ReadScope, Store, StoreError, StoredReport};
use tokio::time::timeout;

/// Memory for requested files, each in the form that was sent.
const FILES_BYTES: usize = 32 << 20;
const FILES: usize = 16 << 10;

/// Memory for the keys of current reports.
const KEYS_BYTES: usize = 32 << 20;

/// The number of versions whose keys are cached, in about 150 bytes each.
const VERSIONS: usize = 4 << 10;

/// Returns the refusal for a record without a report, or an unknown record.
pub(super) fn no_report(id: &str) -> ApiError {
    ApiError::not_found(format!(
        "There is no HTML report of record {id}; if it was removed, /records/{id} shows when."
    ))
}

/// Returns the refusal for a report that is missing in the storage.
pub(super) fn gone(id: i64) -> ApiError {
    ApiError::not_found(format!(
        "The files of the HTML report of record {id} are missing in the storage; upload the commit again to restore them, or see the numbers at /records/{id}."
    ))
}

/// How long the check whether an open report still exists may take.
const DATABASE_ANSWER: Duration = Duration::from_secs(2);

impl Weighed for RecordId {
    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}

impl Weighed for Arc<[String]> {
    fn bytes(&self) -> usize {
        let keys = self.iter().map(|key| size_of::<String>() + key.len());
        size_of::<Self>() + keys.sum::<usize>()
    }
}

pub(super) struct Serving {
    pub(super) store: Store,
    pub(super) reports: Reports,
    /// The address of the dashboard's overview.
    pub(super) dashboard: String,
    pub(super) needs_shim: bool,
    /// The reports' own origin, if they have one.
    pub(super) own_origin: Option<Arc<Origin>>,
    /// Set if reading is protected.
    pub(super) protection: Option<Protection>,
    /// Everything that browsers cache in addition to an object's own bytes.
    form: Vec<u8>,
    /// The key of the object of a version of a record's report. It never changes.
    keys: ByteCache<(i64, Version), Arc<str>>,
    /// The keys of the current reports of records and of their parts, since another process may have deleted an open one.
    current: FreshCache<RecordId, Arc<[String]>>,
    pub(super) files: ByteCache<FileKey, Arc<Representation>>,
}

/// A file in one form. The requested path may be the path of a folder.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct FileKey {
    pub(super) object: Arc<str>,
    pub(super) path: String,
    pub(super) form: Form,
}

/// A path in a record's report.
pub(super) struct Located {
    pub(super) id: i64,
    pub(super) segment: Option<Segment>,
    /// The version of the record's current report, or the version in the address.
    pub(super) version: Version,
    pub(super) key: Arc<str>,
    pub(super) object: Arc<ReportObject>,
}

impl Serving {
    pub(super) fn new(state: &AppState, headers: &ReportHeaders) -> Self {
        let has_own_origin = state.reports_origin.is_some();
        // Earlier releases served pages there without a dependency on frames, so their cached copies must not be used.
        let in_frames: &[u8] = if has_own_origin { b"in frames" } else { b"" };
        Self {
            store: state.store.clone(),
            reports: state.reports.clone(),
            dashboard: if has_own_origin {
                format!("{}/", state.public_url.0)
            } else {
                "/".to_owned()
            },
            needs_shim: !has_own_origin,
            own_origin: state.reports_origin.clone(),
            protection: Protection::of(state),
            form: [SCRIPT.as_bytes(), headers.fingerprint(), in_frames].concat(),
            keys: ByteCache::new(usize::MAX, VERSIONS),
            current: FreshCache::new(state.store.watcher(), KEYS_BYTES),
            files: ByteCache::new(FILES_BYTES, FILES),
        }
    }

    pub(super) fn version(&self, key: &str) -> Version {
        Version::new(key, &self.form)
    }

    /// Checks that the reader of a request may see the record with this id, if it exists. Otherwise 404, as for a missing record.
    pub(super) async fn check_reader(&self, id: &str, scope: &ReadScope) -> Result<(), ApiError> {
        let Ok(number) = id.parse() else {
            return Ok(());
        };
        let reader = self.store.reader(scope.clone());
        match scope.is_all() || reader.shows_record(number).await? {
            true => Ok(()),
            false => Err(no_report(id)),
        }
    }

    pub(super) async fn find(&self, id: &str) -> Result<(i64, StoredReport), ApiError> {
        let missing = || no_report(id);
        let number = id.parse().map_err(|_| missing())?;
        let stored = self.store.everything().report(number).await?;
        Ok((number, stored.ok_or_else(missing)?))
    }

    /// Returns the stored report of a record, or of the part that has this version.
    pub(super) async fn find_version(
        &self,
        id: &str,
        version: Option<Version>,
    ) -> Result<(i64, StoredReport), ApiError> {
        let (number, stored) = self.find(id).await?;
        let Some(version) = version else {
            return Ok((number, stored));
        };
        if self.version(&stored.key) == version {
            return Ok((number, stored));
        }
        let of_parts = self.store.everything().part_reports(number).await?;
        let mut of_parts = of_parts.into_iter();
        let of_part = of_parts.find(|report| self.version(&report.key) == version);
        Ok((number, of_part.unwrap_or(stored)))
    }

    /// Opens the stored report of a record, or of the part that has this version. If a retry replaces it meanwhile, opens the new
    /// one.
    pub(super) async fn open(
        &self,
        id: &str,
        version: Option<Version>,
    ) -> Result<Located, ApiError> {
        let (number, mut stored) = self.find_version(id, version).await?;
        let mut got = self.get(stored.key.clone()).await?;
        if let Err(ReportsError::Missing) = got {
            stored = self.find(id).await?.1;
            got = self.get(stored.key.clone()).await?;
        }
        if let Err(ReportsError::Missing) = got {
            tracing::error!(
                record = number,
                key = stored.key,
                "the HTML report of a record is missing in the storage; `verify` lists all missing reports"
            );
            return Err(gone(number));
        }
        let object = got?;
        let (version, key): (_, Arc<str>) = (self.version(&stored.key), stored.key.into());
        self.keys.put((number, version), key.clone(), 0);
        Ok(Located {
            id: number,
            segment: None,
            version,
            key,
            object,
        })
    }

    async fn get(&self, key: String) -> Result<Result<Arc<ReportObject>, ReportsError>, ApiError> {
        let reports = self.reports.clone();
        let threads = reports.threads();
        Ok(threads.run(move || reports.get(&key)).await?)
    }

    /// Whether a record still has an open report. As long as the database does not change, only the version of the database is
    /// read.
    async fn is_there(&self, id: i64, key: &str) -> bool {
        let look_up =
            async { Ok::<_, StoreError>(self.store.everything().report_keys(id).await?.into()) };
        let unchecked = |cause: String| {
            // Open reports are served while the database is down, since nothing can be deleted then.
            tracing::warn!(record = id, cause, "an open report is served unchecked");
            true
        };
        let mut keys = pin!(self.current.get(RecordId(id), look_up));
        // Mostly the answer is in memory, and needs no timer.
        let answer = match poll!(&mut keys) {
            Poll::Ready(answer) => Ok(answer),
            Poll::Pending => timeout(DATABASE_ANSWER, keys).await,
        };
        match answer {
            Ok(Ok(keys)) => keys.iter().any(|current| current == key),
            Ok(Err(error)) => unchecked(chain(&error)),
            Err(_) => unchecked("the database does not answer".to_owned()),
        }
    }

    /// Returns the report of an address. If the address has a version and the report is open, only the version of the
    /// database is read.
    pub(super) async fn locate(
        &self,
        id: &str,
        segment: Option<Segment>,
    ) -> Result<Located, ApiError> {
        let known = || {
            let version = segment?.version;
            let number = id.parse().ok()?;
            let key = self.keys.get(&(number, version))?;
            let object = self.reports.opened(&key)?;
            Some(Located {
                id: number,
                segment,
                version,
                key,
                object,
            })
        };
        match known() {
            Some(known) if self.is_there(known.id, &known.key).await => Ok(known),
            _ => {
                let version = segment.map(|segment| segment.version);
                let opened = self.open(id, version).await?;
                Ok(Located { segment, ..opened })
            }
        }
    }
}
