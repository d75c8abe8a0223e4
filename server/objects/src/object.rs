//! A published report: an open zip file in which entries can be found.

use super::{
    Entry, EntryReader, ReportsError,
    bucket::{Directory, StoredObject},
    contents::Contents,
    index::{Index, for_each_entry},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    path::Path,
    sync::Arc,
    time::SystemTime,
};

/// An open report. It supports concurrent reads.
#[derive(Debug)]
pub struct ReportObject {
    pub(super) contents: Contents,
    pub(super) index: Index,
    /// When the report was written.
    pub modified: SystemTime,
}

impl ReportObject {
    pub(super) fn in_file(path: &Path) -> Result<Self, ReportsError> {
        let file = File::open(path)?;
        let about = file.metadata()?;
        let (file, size) = (Arc::new(file.into()), about.len());
        Self::open(Contents::File { file, size }, about.modified()?)
    }

    pub(super) fn in_bucket(object: StoredObject) -> Result<Self, ReportsError> {
        let modified = object.modified;
        let directory = Directory::fetch(&object)?;
        let object = object.into();
        Self::open(Contents::Object { object, directory }, modified)
    }

    fn open(mut contents: Contents, modified: SystemTime) -> Result<Self, ReportsError> {
        let (index, directory_start) = Index::read(&contents)?;
        contents.forget_before(directory_start);
        Ok(Self {
            contents,
            index,
            modified,
        })
    }

    /// Returns the entry with exactly this path. Blocks.
    pub fn entry(&self, path: &str) -> Result<Option<Entry>, ReportsError> {
        for slot in self.index.candidates(path) {
            if let Some(start) = self.contents.start_of(slot.header_start, path)? {
                return Ok(Some(Entry {
                    header_start: slot.header_start,
                    start,
                    stored_size: slot.stored_size,
                    size: slot.size,
                    crc32: slot.crc32,
                    deflated: slot.deflated,
                }));
            }
        }
        Ok(None)
    }

    /// Returns a reader of the stored bytes of an entry.
    pub fn stored(&self, entry: Entry) -> EntryReader {
        let header_start = Some(entry.header_start);
        self.contents
            .range(header_start, entry.start, entry.stored_size)
    }

    /// Returns a reader of the whole zip file.
    pub fn whole(&self) -> EntryReader {
        self.contents.range(None, 0, self.size())
    }

    /// Returns the size of the zip file in bytes.
    pub fn size(&self) -> u64 {
        self.contents.size()
    }

    /// Returns the memory in use, in bytes.
    pub(super) fn memory(&self) -> usize {
        size_of::<Self>() + self.index.memory() + self.contents.memory()
    }
}

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

impl From<rawzip::Error> for ReportsError {
    fn from(error: rawzip::Error) -> Self {
        match error.into_kind() {
            rawzip::ErrorKind::IO(cause) => cause.into(),
            kind => Self::Damaged(kind.to_string().into()),
        }
    }
}

#[cfg(test)]
mod tests;
