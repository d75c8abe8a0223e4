//! Files with their counts, as a few bytes each.
//!
//! The first byte is the [version](VERSION); what follows is deflated (RFC 1951). Within it stand the files in the byte
//! order of their paths, each as
//!
//! - how many bytes its path shares with the path before it, how many more there are, and these bytes;
//! - a byte that says which counts are known: 1 lines, 2 branches, 4 functions;
//! - for each of these, all of them and how many are not covered.
//!
//! Numbers are LEB128: seven bits to a byte, the lowest first, and the top bit where more follow. There is no end mark but
//! the end. What is uncovered is mostly small and what is shared mostly long, so a file takes about ten bytes.

use domain::Count;
use flate2::{Compression, write::DeflateEncoder};
use std::io::{self, Write};

/// Of this description.
pub(super) const VERSION: u8 = 1;

/// Bytes that may be stored for the files of one record. A hundred thousand files take about one and a half million.
const MOST_STORED_BYTES: usize = 2 << 20;

/// Files of one record, and bytes of all their paths together: what reading them back may cost.
pub(super) const MOST_FILES: u32 = 200_000;
pub(super) const MOST_PATH_BYTES: usize = 32 << 20;

/// Bytes of one path; a longer one is cut. Linux takes no path longer than this (`PATH_MAX`).
pub(super) const PATH_BYTES: usize = 4_096;

/// Nothing has more lines than this; what says so is cut, so that sums and products of counts have room.
pub(super) const MOST_COUNTED: u64 = u32::MAX as u64;

/// What is counted of one file; 0 of 0 for what is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileCounts {
    /// Covered and total lines, or what stands for lines.
    pub lines: Count,
    /// Covered and total branches.
    pub branches: Count,
    /// Covered and total functions.
    pub functions: Count,
}

impl FileCounts {
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            lines: self.lines.plus(other.lines),
            branches: self.branches.plus(other.branches),
            functions: self.functions.plus(other.functions),
        }
    }

    /// As they are kept: bounded, and never more covered than there is.
    pub(super) fn bounded(self) -> Self {
        let bounded = |count: Count| {
            let total = count.total.min(MOST_COUNTED);
            Count {
                covered: count.covered.min(total),
                total,
            }
        };
        Self {
            lines: bounded(self.lines),
            branches: bounded(self.branches),
            functions: bounded(self.functions),
        }
    }
}

/// Encodes files, which come in the order of their paths.
#[derive(Debug)]
pub struct FilesEncoder {
    deflated: DeflateEncoder<Bounded>,
    /// The file that is not written yet: more counts for its path may come.
    pending: Option<(String, FileCounts)>,
    before: String,
    files: u32,
    path_bytes: usize,
}

/// Why files are not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyFiles;

impl FilesEncoder {
    /// With no file so far.
    pub fn new() -> Self {
        let stored = Bounded(vec![VERSION]);
        Self {
            deflated: DeflateEncoder::new(stored, Compression::default()),
            pending: None,
            before: String::new(),
            files: 0,
            path_bytes: 0,
        }
    }

    /// Adds a file. One with the path of the last is the same one, and its counts add up.
    ///
    /// # Errors
    ///
    /// When there are more files than are stored.
    pub fn add(&mut self, path: &str, counts: FileCounts) -> Result<(), TooManyFiles> {
        let path = &path[..path.floor_char_boundary(PATH_BYTES)];
        match &mut self.pending {
            Some((last, sum)) if last == path => {
                *sum = sum.plus(counts);
                return Ok(());
            }
            _ => {}
        }
        self.write_pending()?;
        self.pending = Some((path.to_owned(), counts));
        Ok(())
    }

    /// How many files there are, and all of them.
    ///
    /// # Errors
    ///
    /// When there are more files than are stored.
    pub fn finish(mut self) -> Result<(u32, Vec<u8>), TooManyFiles> {
        self.write_pending()?;
        let Bounded(stored) = self.deflated.finish().map_err(|_| TooManyFiles)?;
        Ok((self.files, stored))
    }

    fn write_pending(&mut self) -> Result<(), TooManyFiles> {
        let Some((path, counts)) = self.pending.take() else {
            return Ok(());
        };
        self.files += 1;
        self.path_bytes += path.len();
        if self.files > MOST_FILES || self.path_bytes > MOST_PATH_BYTES {
            return Err(TooManyFiles);
        }
        let shared = shared_bytes(&self.before, &path);
        let mut encoded = Vec::with_capacity(path.len() - shared + 32);
        push_number(&mut encoded, shared as u64);
        push_number(&mut encoded, (path.len() - shared) as u64);
        encoded.extend_from_slice(&path.as_bytes()[shared..]);
        let counts = counts.bounded();
        let all = [counts.lines, counts.branches, counts.functions];
        let is_known = |bit: usize| u8::from(all[bit].total > 0) << bit;
        encoded.push(is_known(0) | is_known(1) | is_known(2));
        for count in all.iter().filter(|count| count.total > 0) {
            push_number(&mut encoded, count.total);
            push_number(&mut encoded, count.uncovered());
        }
        self.before = path;
        self.deflated.write_all(&encoded).map_err(|_| TooManyFiles)
    }
}

impl Default for FilesEncoder {
    fn default() -> Self {
        Self::new()
    }
}

/// How many bytes two paths begin with alike; whole characters.
fn shared_bytes(before: &str, path: &str) -> usize {
    let pairs = before.bytes().zip(path.bytes());
    let shared = pairs.take_while(|(a, b)| a == b).count();
    path.floor_char_boundary(shared)
}

fn push_number(encoded: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        encoded.push(number as u8 | 0x80);
        number >>= 7;
    }
    encoded.push(number as u8);
}

/// Bytes up to the limit.
#[derive(Debug)]
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MOST_STORED_BYTES {
            return Err(io::Error::other("more files than are stored"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
