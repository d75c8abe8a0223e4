//! Processes each entry of a tar of source files: keeps it if it is a text, and counts it otherwise.

use super::{MAX_BYTES, NewSource, Skipped};
use crate::{
    IngestError, Limit,
    entry_path::entry_path,
    meter::Meter,
    unpack::{EntryHead, EntryKind, TarPass, corrupt},
};
use config::Limits;
use std::{
    collections::HashSet,
    io::{self, Read},
};

/// The most bytes of all paths.
const MAX_PATHS_BYTES: usize = 16 << 20;

/// The kept files, and what was left out.
pub(super) struct SourcePass {
    max_entries: u64,
    max_path_bytes: usize,
    entries: u64,
    seen: HashSet<String>,
    paths_bytes: usize,
    bytes: u64,
    files: Vec<NewSource>,
    skipped: Skipped,
    meter: Meter,
}

impl SourcePass {
    pub(super) fn new(limits: &Limits, meter: Meter) -> Self {
        Self {
            max_entries: limits.max_entries,
            max_path_bytes: limits.max_path_bytes,
            entries: 0,
            seen: HashSet::new(),
            paths_bytes: 0,
            bytes: 0,
            files: Vec::new(),
            skipped: Skipped::default(),
            meter,
        }
    }

    pub(super) fn finish(self) -> (Vec<NewSource>, Skipped) {
        (self.files, self.skipped)
    }

    fn add(&mut self, path: String, size: u64, content: impl Read) -> Result<(), IngestError> {
        let most = NewSource::MAX_BYTES as u64;
        let count = if size > most {
            &mut self.skipped.large
        } else if self.bytes + size > MAX_BYTES || self.paths_bytes + path.len() > MAX_PATHS_BYTES {
            &mut self.skipped.beyond
        } else if !self.seen.insert(path.clone()) {
            &mut self.skipped.unusable
        } else {
            let mut text = Vec::new();
            self.bytes += size;
            self.paths_bytes += path.len();
            content
                .take(most)
                .read_to_end(&mut text)
                .map_err(|error| self.meter.explain(error))?;
            if text.len() as u64 != size {
                return Err(corrupt("a file is cut off"));
            }
            match String::from_utf8(text) {
                Ok(text) if !text.contains('\0') => {
                    let packed = NewSource::of(path, &text);
                    self.files
                        .push(packed.map_err(IngestError::CorruptArchive)?);
                    return Ok(());
                }
                _ => &mut self.skipped.binary,
            }
        };
        *count += 1;
        Ok(())
    }
}

impl TarPass for SourcePass {
    fn entry(&mut self, head: EntryHead<'_>, mut content: impl Read) -> Result<(), IngestError> {
        self.entries += 1;
        if self.entries > self.max_entries {
            return Err(IngestError::Limit(Limit::Entries(self.max_entries)));
        }
        match (head.kind, entry_path(head.path, self.max_path_bytes)) {
            (EntryKind::Folder, _) => {}
            (EntryKind::File, Ok(path)) if !path.is_empty() => {
                self.add(path, head.size, &mut content)?;
            }
            _ => self.skipped.unusable += 1,
        }
        // What is left of the content would count as headers of the next entry.
        io::copy(&mut content, &mut io::sink()).map_err(|error| self.meter.explain(error))?;
        Ok(())
    }

    /// The size is checked with the entry.
    fn check_size(&self, _: u64) -> Result<(), IngestError> {
        Ok(())
    }
}
