//! The stored list of the source files of a part: packed JSON of the paths, and packed JSON of the ids of their texts, each as the
//! difference to the id before it. Most ids follow each other, so these take a byte or less. A sweep reads only the ids.

use crate::packed::{packed, unpacked};
use sqlx::FromRow;
use std::io;

/// The most bytes of the JSON of a list.
const MOST_BYTES: u64 = 64 << 20;

/// A list, not empty.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub(crate) struct List {
    pub(super) paths: Vec<u8>,
    pub(super) texts: Vec<u8>,
}

impl List {
    /// Packs a list; `None` if it is empty.
    ///
    /// # Errors
    ///
    /// If it could not be read again.
    pub(super) fn of<'a>(files: impl Iterator<Item = (&'a str, i64)>) -> io::Result<Option<Self>> {
        let (paths, ids): (Vec<_>, Vec<_>) = files.unzip();
        if paths.is_empty() {
            return Ok(None);
        }
        let mut before = 0;
        let differences = ids.into_iter().map(|id: i64| {
            let difference = id.wrapping_sub(before);
            before = id;
            difference
        });
        let differences: Vec<_> = differences.collect();
        let too_long = || io::Error::other("the list of source files is too long");
        Ok(Some(Self {
            paths: packed(&paths, MOST_BYTES).ok_or_else(too_long)?,
            texts: packed(&differences, MOST_BYTES).ok_or_else(too_long)?,
        }))
    }

    /// The files and the ids of their texts; `None` if the list is damaged.
    pub(crate) fn files(&self) -> Option<Vec<(String, i64)>> {
        let paths: Vec<String> = unpacked(&self.paths, MOST_BYTES)?;
        let ids = ids(&self.texts)?;
        (paths.len() == ids.len()).then(|| paths.into_iter().zip(ids).collect())
    }

    /// Finds the texts of files that have none yet. A damaged list has no files.
    pub(super) fn find(&self, wanted: &[String], found: &mut [Option<i64>]) {
        for (path, id) in self.files().unwrap_or_default() {
            let places = wanted.iter().zip(found.iter_mut());
            for (_, found) in places.filter(|(of, found)| **of == path && found.is_none()) {
                *found = Some(id);
            }
        }
    }
}

/// The ids of texts; `None` if they are damaged.
pub(super) fn ids(texts: &[u8]) -> Option<Vec<i64>> {
    let differences: Vec<i64> = unpacked(texts, MOST_BYTES)?;
    let mut last = 0_i64;
    let ids = differences.into_iter().map(|difference| {
        last = last.wrapping_add(difference);
        last
    });
    Some(ids.collect())
}
