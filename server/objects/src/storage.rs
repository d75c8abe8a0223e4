//! The storage of reports, a folder or a bucket, behind one interface.

use super::{
    ReportObject, ReportsError, StagedReport, bucket::Bucket, files::ReportsFolder,
    threads::Threads,
};
use std::{path::Path, sync::Arc, time::SystemTime};

/// The storage. Clones share it.
#[derive(Clone, Debug)]
pub(super) enum Storage {
    Folder(ReportsFolder),
    Bucket(Bucket),
}

impl Storage {
    pub(super) fn stage(
        &self,
        key: &str,
        scratch: &Arc<Path>,
    ) -> Result<StagedReport, ReportsError> {
        Ok(match self {
            Self::Folder(folder) => StagedReport::in_file(folder.stage(key)?, key, scratch),
            Self::Bucket(bucket) => StagedReport::in_bucket(bucket.upload(key), key, scratch),
        })
    }

    /// Opens a published report. [`ReportsError::Missing`] if it does not exist. Blocks.
    pub(super) fn open(&self, key: &str) -> Result<ReportObject, ReportsError> {
        let opened = match self {
            Self::Folder(folder) => ReportObject::in_file(&folder.path(key)),
            Self::Bucket(bucket) => bucket
                .object(key)
                .map_err(ReportsError::from)
                .and_then(ReportObject::in_bucket),
        };
        self.unless_all_are_missing(opened)
    }

    /// Returns whether a report is known to be removed meanwhile. Always `false` for a bucket: a later read fails, and then the
    /// report is closed. Blocks.
    pub(super) fn has_lost(&self, key: &str) -> bool {
        matches!(self, Self::Folder(folder) if !folder.path(key).exists())
    }

    /// Removes a report. [`ReportsError::Missing`] if it does not exist. Blocks.
    pub(super) fn remove(&self, key: &str) -> Result<(), ReportsError> {
        let removed = match self {
            Self::Folder(folder) => folder.remove(key).map_err(ReportsError::from),
            Self::Bucket(bucket) => bucket.remove(key).map_err(ReportsError::from),
        };
        self.unless_all_are_missing(removed)
    }

    /// Returns the size of a report in bytes. [`ReportsError::Missing`] if it does not exist. Blocks.
    pub(super) fn size(&self, key: &str) -> Result<u64, ReportsError> {
        Ok(self.about(key)?.0)
    }

    /// Returns when a report was written. [`ReportsError::Missing`] if it does not exist. Blocks.
    pub(super) fn modified(&self, key: &str) -> Result<SystemTime, ReportsError> {
        Ok(self.about(key)?.1)
    }

    fn about(&self, key: &str) -> Result<(u64, SystemTime), ReportsError> {
        let about = match self {
            Self::Folder(folder) => {
                let about = folder.path(key).metadata();
                about
                    .and_then(|about| Ok((about.len(), about.modified()?)))
                    .map_err(ReportsError::from)
            }
            Self::Bucket(bucket) => {
                let about = bucket.object(key);
                about
                    .map(|object| (object.size(), object.modified()))
                    .map_err(ReportsError::from)
            }
        };
        self.unless_all_are_missing(about)
    }

    /// Returns the keys that start with `shard`, in any order. Blocks.
    pub(super) fn keys(&self, shard: &str) -> Result<Vec<String>, ReportsError> {
        let names = match self {
            Self::Folder(folder) => folder.names(shard)?,
            Self::Bucket(bucket) => bucket.names(shard)?,
        };
        let key_of = |name: &String| name.strip_suffix(".zip").map(str::to_owned);
        let keys = names.iter().filter_map(key_of);
        Ok(keys.filter(|key| key.starts_with(shard)).collect())
    }

    /// Replaces [`ReportsError::Missing`] by another error if the storage itself is missing, such as a disk that is not mounted
    /// or a removed bucket. Blocks.
    fn unless_all_are_missing<T>(&self, found: Result<T, ReportsError>) -> Result<T, ReportsError> {
        if let Err(ReportsError::Missing) = found {
            match self {
                Self::Folder(folder) => folder.is_there()?,
                Self::Bucket(bucket) => bucket.is_there()?,
            }
        }
        found
    }

    /// Checks whether reports can be stored. Blocks.
    pub(super) fn check(&self) -> Result<(), ReportsError> {
        match self {
            Self::Folder(folder) => Ok(folder.check()?),
            Self::Bucket(bucket) => Ok(bucket.check()?),
        }
    }

    /// Returns the threads for reading.
    pub(super) fn threads(&self) -> Threads {
        match self {
            Self::Folder(_) => Threads::default(),
            Self::Bucket(bucket) => bucket.threads().clone(),
        }
    }
}
