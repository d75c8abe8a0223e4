//! What a folder of a report holds.

use super::{ReportObject, ReportsError, index::for_each_entry};
use std::collections::{BTreeMap, BTreeSet};

/// Folders and files right in a folder, each in byte order.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Folder {
    /// Names of folders, without a `/`.
    pub folders: BTreeSet<String>,
    /// Names of files, and their sizes as uploaded.
    pub files: BTreeMap<String, u64>,
    /// Whether there is more than this.
    pub is_cut: bool,
}

impl ReportObject {
    /// The folder at `path`, which is empty or ends with a `/`; none where no entry is below it. Blocks.
    ///
    /// The first `most` folders and as many files are named: a report may have more than memory could hold.
    ///
    /// # Errors
    ///
    /// When the storage fails.
    pub fn folder(&self, path: &str, most: usize) -> Result<Option<Folder>, ReportsError> {
        let mut folder = Folder::default();
        let mut is_there = path.is_empty();
        for_each_entry(&self.contents, |entry_path, entry| {
            let Some(below) = entry_path.strip_prefix(path.as_bytes()) else {
                return;
            };
            is_there = true;
            // Paths were UTF-8 when they were written.
            let below = String::from_utf8_lossy(below);
            match below.split_once('/') {
                Some((name, _)) if !folder.folders.contains(name) => {
                    folder.folders.insert(name.to_owned());
                    if folder.folders.len() > most {
                        folder.folders.pop_last();
                        folder.is_cut = true;
                    }
                }
                Some(_) => {}
                None => {
                    let size = entry.uncompressed_size_hint();
                    folder.files.insert(below.into_owned(), size);
                    if folder.files.len() > most {
                        folder.files.pop_last();
                        folder.is_cut = true;
                    }
                }
            }
        })?;
        Ok(is_there.then_some(folder))
    }
}
