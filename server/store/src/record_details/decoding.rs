//! Reads stored files one by one, with bounded memory and without panics for any bytes.

use super::encoding::{FileCounts, MOST_COUNTED, MOST_FILES, MOST_PATH_BYTES, PATH_BYTES, VERSION};
use domain::Count;
use flate2::read::DeflateDecoder;
use std::{
    io::{BufRead, BufReader, Read},
    str,
};
use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum DecodeError {
    /// A later release wrote the files.
    #[error("the stored files are of version {0}, which this release does not know")]
    Version(u8),
    /// The bytes are not as they were written.
    #[error("the stored files are damaged")]
    Damaged,
}

/// Reads stored files, with only the current one in memory.
pub(super) struct StoredFileReader<'a> {
    /// The text in front of every path.
    prefix: &'a str,
    inflated: BufReader<DeflateDecoder<&'a [u8]>>,
    path: Vec<u8>,
    counts: FileCounts,
    /// The number of remaining files.
    left: u32,
    path_bytes: usize,
}

impl<'a> StoredFileReader<'a> {
    /// Starts before the first of `count` files. `prefix` is put in front of every path.
    pub(super) fn new(encoded: &'a [u8], count: u32, prefix: &'a str) -> Result<Self, DecodeError> {
        match encoded {
            _ if count > MOST_FILES => Err(DecodeError::Damaged),
            [VERSION, deflated @ ..] => Ok(Self {
                prefix,
                inflated: BufReader::new(DeflateDecoder::new(deflated)),
                path: prefix.as_bytes().to_vec(),
                counts: FileCounts::default(),
                left: count,
                path_bytes: 0,
            }),
            [version, ..] => Err(DecodeError::Version(*version)),
            [] => Err(DecodeError::Damaged),
        }
    }

    /// Reads the next file; false after the last file.
    pub(super) fn advance(&mut self) -> Result<bool, DecodeError> {
        let rest = self.inflated.fill_buf();
        let is_end = rest.map_err(|_| DecodeError::Damaged)?.is_empty();
        if is_end && self.left == 0 {
            return Ok(false);
        }
        if is_end || self.left == 0 {
            return Err(DecodeError::Damaged);
        }
        self.left -= 1;
        let (shared, more) = (self.number()? as usize, self.number()? as usize);
        let kept = self.path.len() - self.prefix.len();
        if shared > kept || shared.saturating_add(more) > PATH_BYTES {
            return Err(DecodeError::Damaged);
        }
        self.path.truncate(self.prefix.len() + shared);
        let start = self.path.len();
        self.path.resize(start + more, 0);
        self.fill(start)?;
        self.path_bytes += shared + more;
        let is_text = str::from_utf8(&self.path).is_ok();
        if !is_text || self.path_bytes > MOST_PATH_BYTES {
            return Err(DecodeError::Damaged);
        }
        let known = self.byte()?;
        self.counts = FileCounts {
            lines: self.count(known & 1 != 0)?,
            branches: self.count(known & 2 != 0)?,
            functions: self.count(known & 4 != 0)?,
        };
        Ok(true)
    }

    pub(super) fn path(&self) -> &str {
        // The encoding was checked when the path was read.
        str::from_utf8(&self.path).unwrap_or_default()
    }

    pub(super) fn counts(&self) -> FileCounts {
        self.counts
    }

    fn count(&mut self, is_known: bool) -> Result<Count, DecodeError> {
        if !is_known {
            return Ok(Count::default());
        }
        let (total, uncovered) = (self.number()?, self.number()?);
        match total.checked_sub(uncovered) {
            Some(covered) if total <= MOST_COUNTED => Ok(Count { covered, total }),
            _ => Err(DecodeError::Damaged),
        }
    }

    fn number(&mut self) -> Result<u64, DecodeError> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(DecodeError::Damaged)
    }

    fn byte(&mut self) -> Result<u8, DecodeError> {
        let mut byte = [0];
        let read = self.inflated.read_exact(&mut byte);
        read.map_err(|_| DecodeError::Damaged)?;
        Ok(byte[0])
    }

    fn fill(&mut self, start: usize) -> Result<(), DecodeError> {
        let read = self.inflated.read_exact(&mut self.path[start..]);
        read.map_err(|_| DecodeError::Damaged)
    }
}
