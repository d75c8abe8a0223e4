//! Splits the JSON of a job while it arrives: the list of files is packed, without the text of the files, and the other members are
//! kept as JSON. Nobody has shown a token yet, so both are bounded, and the readers of JSON run only after the token is good.

use flate2::{Compression, write::DeflateEncoder};
use std::io::{self, Write};
use thiserror::Error;

/// The most bytes of the JSON.
pub(super) const MAX_JSON_BYTES: u64 = 64 << 20;

/// The most bytes of the members other than the files. The longest is the message of the commit.
const MAX_MEMBERS_BYTES: usize = 256 << 10;

/// The most bytes of the packed files. Lists of hits shrink to a tenth.
const MAX_PACKED_BYTES: usize = 16 << 20;

/// The most open objects and arrays.
const MAX_DEPTH: u32 = 64;

const FILES: &[u8] = b"source_files";
const SOURCE: &[u8] = b"source";

/// Why a job cannot be split: a phrase.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub(super) enum SplitError {
    #[error("its JSON has more than {MAX_JSON_BYTES} bytes")]
    TooLong,
    #[error("its JSON has more than {MAX_MEMBERS_BYTES} bytes beside the list of files")]
    LongMembers,
    #[error("its list of files has more than {MAX_PACKED_BYTES} bytes after compression")]
    LongFiles,
    #[error("its JSON is nested too deeply")]
    TooDeep,
    #[error("its JSON ends too early")]
    CutOff,
}

/// A job whose JSON has arrived.
pub(super) struct Split {
    /// The JSON without the files.
    pub(super) members: Vec<u8>,
    /// JSON with nothing but the files, deflated. It is as valid as the JSON of the job, which nobody has checked.
    pub(super) files: Option<Vec<u8>>,
}

/// Takes the JSON of a job in pieces.
pub(super) struct Splitter {
    bytes: u64,
    depth: u32,
    is_in_text: bool,
    is_escaped: bool,
    /// The start of the last text, as long as the longest name that has a meaning, and one byte more.
    word: Vec<u8>,
    /// Whether the value of `source_files` is being read.
    is_in_files: bool,
    /// Whether the next value, or the text that is being read, is the source of a file.
    is_source: bool,
    members: Vec<u8>,
    files: Option<DeflateEncoder<Vec<u8>>>,
    /// Bytes for `files`, so that it gets many at a time.
    kept: Vec<u8>,
    failure: Option<SplitError>,
}

impl Splitter {
    pub(super) fn new() -> Self {
        Self {
            bytes: 0,
            depth: 0,
            is_in_text: false,
            is_escaped: false,
            word: Vec::with_capacity(FILES.len() + 1),
            is_in_files: false,
            is_source: false,
            members: Vec::new(),
            files: None,
            kept: Vec::new(),
            failure: None,
        }
    }

    /// Returns why a write failed.
    pub(super) fn failure(&self) -> Option<SplitError> {
        self.failure
    }

    pub(super) fn finish(mut self) -> Result<Split, SplitError> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        if self.is_in_text || self.depth > 0 || self.bytes == 0 {
            return Err(SplitError::CutOff);
        }
        self.pack()?;
        let files = self.files.map(|mut files| {
            // Writing into memory does not fail.
            files.write_all(b"}").and_then(|()| files.finish())
        });
        Ok(Split {
            members: self.members,
            files: files.transpose().map_err(|_| SplitError::LongFiles)?,
        })
    }

    fn next(&mut self, byte: u8) -> Result<(), SplitError> {
        if self.is_in_text {
            return self.next_of_text(byte);
        }
        match byte {
            b'"' => {
                self.is_in_text = true;
                self.word.clear();
                return self.keep(byte);
            }
            b':' if self.is_in_files => self.is_source = self.word == SOURCE,
            b':' if self.depth == 1 && self.word == FILES => return self.begin_files(),
            b' ' | b'\t' | b'\r' | b'\n' => {}
            b'{' | b'[' => {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err(SplitError::TooDeep);
                }
                self.is_source = false;
            }
            b',' | b'}' | b']' => {
                // The value of `source_files` ends before the next member, or with the job.
                self.is_in_files &= self.depth > 1;
                if byte != b',' {
                    self.depth = self.depth.saturating_sub(1);
                }
                self.is_source = false;
            }
            _ => self.is_source = false,
        }
        self.keep(byte)
    }

    fn next_of_text(&mut self, byte: u8) -> Result<(), SplitError> {
        let ends = byte == b'"' && !self.is_escaped;
        self.is_escaped = byte == b'\\' && !self.is_escaped;
        if ends {
            self.is_in_text = false;
            self.is_source = false;
        } else if self.is_source {
            return Ok(());
        } else if self.word.len() <= FILES.len() {
            self.word.push(byte);
        }
        self.keep(byte)
    }

    /// Begins the files after the colon of their key. The members have `null` in their place.
    fn begin_files(&mut self) -> Result<(), SplitError> {
        for &byte in b":null" {
            self.keep(byte)?;
        }
        self.is_in_files = true;
        let separator = match &self.files {
            Some(_) => b',',
            None => b'{',
        };
        self.files
            .get_or_insert_with(|| DeflateEncoder::new(Vec::new(), Compression::fast()));
        self.keep(separator)?;
        for &byte in b"\"source_files\":" {
            self.keep(byte)?;
        }
        Ok(())
    }

    #[inline]
    fn keep(&mut self, byte: u8) -> Result<(), SplitError> {
        const PIECE: usize = 32 << 10;
        if self.is_in_files {
            self.kept.push(byte);
            if self.kept.len() >= PIECE {
                self.pack()?;
            }
            return Ok(());
        }
        if self.members.len() >= MAX_MEMBERS_BYTES {
            return Err(SplitError::LongMembers);
        }
        self.members.push(byte);
        Ok(())
    }

    fn pack(&mut self) -> Result<(), SplitError> {
        if let Some(files) = &mut self.files {
            files
                .write_all(&self.kept)
                .map_err(|_| SplitError::LongFiles)?;
            self.kept.clear();
            if files.get_ref().len() > MAX_PACKED_BYTES {
                return Err(SplitError::LongFiles);
            }
        }
        Ok(())
    }
}

impl Write for Splitter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len() as u64;
        let mut split = match self.bytes > MAX_JSON_BYTES {
            true => Err(SplitError::TooLong),
            false => self.failure.map_or(Ok(()), Err),
        };
        for &byte in bytes {
            if split.is_err() {
                break;
            }
            split = self.next(byte);
        }
        match split {
            Ok(()) => Ok(bytes.len()),
            Err(failure) => {
                self.failure.get_or_insert(failure);
                Err(io::Error::other(failure))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
