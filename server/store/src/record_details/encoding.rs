//! Encodes files with their counts, as a few bytes each.
//!
//! The first byte is the [version](VERSION). The rest is deflated (RFC 1951) and contains the files in the byte order
//! of their paths, each as
//!
//! - the number of bytes that its path shares with the path before, the number of further bytes, and these bytes;
//! - a byte with the known counts: 1 lines, 2 branches, 4 functions;
//! - for each known count, the total and the uncovered number.
//!
//! Numbers are LEB128: seven bits per byte, lowest first, with the top bit set if more bytes follow. There is no end
//! mark. Uncovered numbers are mostly small and shared prefixes mostly long, so a file uses about ten bytes.

use domain::{Count, Metric};
use flate2::{Compression, write::DeflateEncoder};
use std::io::{self, Write};

/// The version of the format described above.
pub(super) const VERSION: u8 = 1;

/// The maximum number of stored bytes for the files of one record. A hundred thousand files use about 1.5 million.
const MOST_STORED_BYTES: usize = 2 << 20;

/// The maximum number of files of one record, and of bytes in all their paths. They limit the cost of reading them.
pub(super) const MOST_FILES: u32 = 200_000;
pub(super) const MOST_PATH_BYTES: usize = 32 << 20;

/// The maximum number of bytes of a path; a longer path is cut. Linux accepts no longer path (`PATH_MAX`).
pub(super) const PATH_BYTES: usize = 4_096;

/// The maximum count, more lines than any file has. Larger counts are cut, so that sums and products do not overflow.
pub(super) const MOST_COUNTED: u64 = u32::MAX as u64;

/// The counts of one file; 0 of 0 if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileCounts {
    /// Covered and total lines, or their equivalents in the coverage file.
    pub lines: Count,
    /// Covered and total branches.
    pub branches: Count,
    /// Covered and total functions.
    pub functions: Count,
}

impl FileCounts {
    /// The count of a metric; 0 of 0 if it is unknown.
    pub(crate) fn of(self, metric: Metric) -> Count {
        match metric {
            Metric::Lines => self.lines,
            Metric::Branches => self.branches,
            Metric::Functions => self.functions,
            Metric::New => Count::default(),
        }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            lines: self.lines.plus(other.lines),
            branches: self.branches.plus(other.branches),
            functions: self.functions.plus(other.functions),
        }
    }

    /// Limits the counts for storing: covered is at most the total.
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

/// Encodes files, which must be added in the order of their paths.
#[derive(Debug)]
pub struct FilesEncoder {
    deflated: DeflateEncoder<Bounded>,
    /// The last file, which is not written yet because more counts for its path may follow.
    pending: Option<(String, FileCounts)>,
    before: String,
    files: u32,
    path_bytes: usize,
}

/// The files exceed a maximum of the stored form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyFiles;

impl FilesEncoder {
    /// Creates an encoder without files.
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

    /// Adds a file. If it has the same path as the last file, adds its counts to the counts of that file.
    ///
    /// # Errors
    ///
    /// If there are too many files to store.
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

    /// Returns the number of files and their encoding.
    ///
    /// # Errors
    ///
    /// If there are too many files to store.
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

/// The length of the common start of two paths in bytes, in whole characters.
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

#[derive(Debug)]
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MOST_STORED_BYTES {
            return Err(io::Error::other("too many files to store"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
