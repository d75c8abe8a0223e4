//! The metadata in the headers before an entry: GNU's long names, and pax headers for one entry or for all.
//!
//! If two headers contradict each other, tools disagree on which one applies. So contradictions are refused.

use crate::{
    IngestError,
    meter::Meter,
    unpack::{
        corrupt,
        pax::{number, records},
    },
};
use std::io::Read;
use tar::{Entry, EntryType};

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Description {
    pub(super) path: Option<Vec<u8>>,
    pub(super) link: Option<Vec<u8>>,
    pub(super) size: Option<u64>,
    pub(super) is_sparse: bool,
}

impl Description {
    /// Reads `entry` if it describes the next entry. Returns whether it does.
    pub(super) fn read(
        &mut self,
        entry: &mut Entry<'_, impl Read>,
        meter: &Meter,
    ) -> Result<bool, IngestError> {
        let kind = entry.header().entry_type();
        if !matches!(
            kind,
            EntryType::GNULongName
                | EntryType::GNULongLink
                | EntryType::XHeader
                | EntryType::XGlobalHeader
        ) {
            return Ok(false);
        }
        let mut content = Vec::new();
        entry
            .read_to_end(&mut content)
            .map_err(|error| meter.explain(error))?;
        let read = match kind {
            EntryType::GNULongName => state(&mut self.path, terminated(content)),
            EntryType::GNULongLink => state(&mut self.link, terminated(content)),
            _ => {
                let records = records(&content);
                let records = records.ok_or_else(|| corrupt("a pax header is malformed"))?;
                match kind {
                    EntryType::XHeader => self.read_pax(&records)?,
                    _ => check_global(&records),
                }
            }
        };
        match read {
            Ok(()) => Ok(true),
            Err(reason) => Err(IngestError::UnsafeEntry {
                path: String::from_utf8_lossy(&entry.path_bytes()).into_owned(),
                reason,
            }),
        }
    }

    fn read_pax(&mut self, records: &[(&[u8], &[u8])]) -> Result<Stated, IngestError> {
        for &(key, value) in records {
            let stated = match key {
                b"path" => state(&mut self.path, value.to_vec()),
                b"linkpath" => state(&mut self.link, value.to_vec()),
                b"size" => {
                    let size =
                        number(value).ok_or_else(|| corrupt("a pax size is not a number"))?;
                    state(&mut self.size, size)
                }
                _ => {
                    self.is_sparse |= key.starts_with(GNU_SPARSE);
                    Ok(())
                }
            };
            if stated.is_err() {
                return Ok(stated);
            }
        }
        Ok(Ok(()))
    }
}

/// The prefix of GNU tar's keys for the holes of a sparse file, in all three of its formats.
const GNU_SPARSE: &[u8] = b"GNU.sparse.";

/// `Ok` if a value contradicts no earlier one, else the reason for refusing it.
type Stated = Result<(), &'static str>;

fn state<T: PartialEq>(known: &mut Option<T>, stated: T) -> Stated {
    match known {
        Some(known) if *known != stated => {
            Err("contradicts another header of the same entry; pack the archive again")
        }
        _ => {
            *known = Some(stated);
            Ok(())
        }
    }
}

/// Removes the zero at the end of GNU's long names.
fn terminated(mut name: Vec<u8>) -> Vec<u8> {
    if name.last() == Some(&0) {
        name.pop();
    }
    name
}

/// Checks a global header. git writes the commit there; a name or a size would apply to every entry.
fn check_global(records: &[(&[u8], &[u8])]) -> Stated {
    let is_of_entries =
        |key: &[u8]| matches!(key, b"path" | b"linkpath" | b"size") || key.starts_with(GNU_SPARSE);
    match records.iter().any(|&(key, _)| is_of_entries(key)) {
        true => Err("sets a name or a size for all entries; pack the archive again"),
        false => Ok(()),
    }
}
