//! From an address to an answer: which report, which file of it, and what of both is kept in memory.

use super::{
    address::{Target, Version, report_path},
    answer::{ASK_AGAIN, FOREVER, Plan, redirect},
    asked::Asked,
    folder_page,
    front::STAND_IN,
    representation::{Form, Representation},
};
use crate::{
    byte_cache::ByteCache,
    error::ApiError,
    reports::{ReportObject, Reports, ReportsError},
    security::ReportHeaders,
    state::AppState,
    store::{Store, StoredReport},
};
use axum::response::Response;
use std::sync::Arc;
use tokio::task;

/// Files up to this size are read at once, and kept.
const SMALL_BYTES: u64 = 256 << 10;

/// Memory for files that were asked for, each in the form that was sent.
const FILES_BYTES: usize = 32 << 20;
const FILES: usize = 16 << 10;

/// Versions whose keys are remembered, in about 150 bytes each.
const VERSIONS: usize = 4 << 10;

/// All that serving reports needs.
pub(in crate::routes) struct Serving {
    pub(super) store: Store,
    reports: Reports,
    /// Where the dashboard's overview is.
    pub(super) dashboard: String,
    needs_stand_in: bool,
    /// What, beside an object's own bytes, is in what browsers keep.
    form: Vec<u8>,
    /// The key of the object that a version of a record's report names; it is the same for ever.
    keys: ByteCache<(i64, Version), Arc<str>>,
    files: ByteCache<FileKey, Arc<Representation>>,
}

#[derive(PartialEq, Eq, Hash)]
struct FileKey {
    object: Arc<str>,
    path: String,
    form: Form,
}

/// A path in a record's report.
pub(super) struct Located {
    pub(super) id: i64,
    target: Target,
    /// Of the report that the record has now, or that its address names.
    version: Version,
    key: Arc<str>,
    object: Arc<ReportObject>,
}

impl Serving {
    pub(super) fn new(state: &AppState, headers: &ReportHeaders) -> Self {
        let has_own_origin = state.reports_origin.is_some();
        Self {
            store: state.store.clone(),
            reports: state.reports.clone(),
            dashboard: match has_own_origin {
                true => format!("{}/", state.public_url.0),
                false => "/".to_owned(),
            },
            needs_stand_in: !has_own_origin,
            form: [STAND_IN.as_bytes(), headers.fingerprint()].concat(),
            keys: ByteCache::new(usize::MAX, VERSIONS),
            files: ByteCache::new(FILES_BYTES, FILES),
        }
    }

    pub(super) fn version(&self, key: &str) -> Version {
        Version::new(key, &self.form)
    }

    /// The stored report of the record with this id.
    pub(super) async fn find(&self, id: &str) -> Result<(i64, StoredReport), ApiError> {
        let missing = || ApiError::not_found(format!("There is no report of a record {id}."));
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
                self.get(stored.key.clone()).await??
            }
            object => object?,
        };
        let (version, key): (_, Arc<str>) = (self.version(&stored.key), stored.key.into());
        self.keys.put((number, version), key.clone(), 0);
        Ok((number, version, key, object))
    }

    async fn get(&self, key: String) -> Result<Result<Arc<ReportObject>, ReportsError>, ApiError> {
        let reports = self.reports.clone();
        task::spawn_blocking(move || reports.get(&key))
            .await
            .map_err(|error| ApiError::unavailable(&error))
    }

    /// The report behind an address. One that names a version needs no database while the report is open.
    pub(super) async fn locate(&self, id: &str, target: Target) -> Result<Located, ApiError> {
        let known = || {
            let version = target.version?;
            let number = id.parse().ok()?;
            let key = self.keys.get(&(number, version))?;
            let object = self.reports.opened(&key)?;
            Some((number, version, key, object))
        };
        let (id, version, key, object) = match known() {
            Some(known) => known,
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

    /// The answer to whoever asks for it.
    pub(super) async fn serve(
        self: &Arc<Self>,
        located: Located,
        asked: Asked,
    ) -> Result<Response, ApiError> {
        let Target { version, path } = &located.target;
        let is_old = version.is_some_and(|version| version != located.version);
        let Some(path) = path.as_deref().filter(|_| !is_old) else {
            let path = path.as_deref().unwrap_or_default();
            return Ok(redirect(&report_path(
                located.id,
                Some(located.version),
                path,
            )));
        };
        let form = Form::of(&entry_path(path), &asked, self.needs_stand_in);
        let key = FileKey {
            object: located.key.clone(),
            path: path.to_owned(),
            form,
        };
        if let Some(file) = self.files.get(&key) {
            return Ok(Plan::of(&file, &asked).answer(&file, &asked, located.cache()));
        }
        let serving = self.clone();
        task::spawn_blocking(move || serving.read(&located, key, &asked))
            .await
            .map_err(|error| ApiError::unavailable(&error))?
    }

    /// Looks at what the address could mean: a file, a folder with an index, or one without, which is listed. Blocks.
    fn read(&self, located: &Located, key: FileKey, asked: &Asked) -> Result<Response, ApiError> {
        let Located { object, .. } = located;
        let path = entry_path(&key.path);
        let Some(entry) = object.entry(&path)? else {
            return self.read_folder(located, &key.path);
        };
        let file = Representation::of_entry(object, located.version, &path, entry, key.form)?;
        let plan = Plan::of(&file, asked);
        if plan.sends() && !asked.is_head && file.length <= SMALL_BYTES {
            let read = Arc::new(file.read()?);
            let bytes = read.memory() + key.path.len();
            self.files.put(key, read.clone(), bytes);
            return Ok(plan.answer(&read, asked, located.cache()));
        }
        Ok(plan.answer(&file, asked, located.cache()))
    }

    fn read_folder(&self, located: &Located, path: &str) -> Result<Response, ApiError> {
        let is_marked = path.is_empty() || path.ends_with('/');
        if is_marked {
            if let Some(folder) = located.object.folder(path, folder_page::MOST_SHOWN)? {
                return Ok(folder_page::answer(&folder, located.id, path));
            }
        } else {
            let path = format!("{path}/");
            if located.object.folder(&path, 1)?.is_some() {
                return Ok(redirect(&report_path(
                    located.id,
                    located.target.version,
                    &path,
                )));
            }
        }
        Err(ApiError::not_found(format!(
            "The report of record {} holds no {path:?}.",
            located.id
        )))
    }
}

impl Located {
    fn cache(&self) -> axum::http::HeaderValue {
        match self.target.version {
            Some(_) => FOREVER,
            None => ASK_AGAIN,
        }
    }
}

/// A folder is shown by its index.
fn entry_path(path: &str) -> std::borrow::Cow<'_, str> {
    match path.is_empty() || path.ends_with('/') {
        true => format!("{path}index.html").into(),
        false => path.into(),
    }
}
