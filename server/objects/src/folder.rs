//! Lists a folder of a report.

use super::{ReportObject, ReportsError, index::for_each_entry};
use std::collections::{BTreeMap, BTreeSet};

/// The direct subfolders and files of a folder, each in byte order.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Folder {
    /// The names of folders, without a `/`.
    pub folders: BTreeSet<String>,
    /// The names of files, and their sizes as uploaded.
    pub files: BTreeMap<String, u64>,
    /// Whether the list is incomplete.
    pub is_cut: bool,
}

impl ReportObject {
    /// Returns the folder at `path`, which is empty or ends with a `/`. `None` if no entry is in it. Blocks.
    ///
    /// Lists the first `most` folders and the first `most` files, because the list of a report may not fit into memory.
    pub fn folder(&self, path: &str, most: usize) -> Result<Option<Folder>, ReportsError> {
        let mut folder = Folder::default();
        let mut exists = path.is_empty();
        for_each_entry(&self.contents, |entry_path, entry| {
            let Some(below) = entry_path.strip_prefix(path.as_bytes()) else {
                return;
            };
            exists = true;
            // Only UTF-8 paths are written.
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
        Ok(exists.then_some(folder))
    }
}
