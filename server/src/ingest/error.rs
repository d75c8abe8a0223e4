//! Everything that can be wrong with an upload.

use super::CoverageFileName;
use crate::{reports::ReportsError, store::StoreError};
use report::ReportError;
use std::{fmt, io};
use thiserror::Error;

/// Why an upload was not taken.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IngestError {
    /// The multipart body broke off or is not well-formed.
    #[error("the multipart body cannot be read: {0}")]
    Body(String),
    /// The client sends nothing, or next to nothing.
    #[error("the client {0}")]
    Slow(Slowness),
    /// Too much stands before the part that holds the archive.
    #[error("too much before the part `file`")]
    Preamble,
    /// More bytes than allowed were sent.
    #[error("the upload is larger than {0} bytes")]
    TooLarge(u64),
    /// It is no archive of a known kind.
    #[error("the part `file` is {0}")]
    UnknownArchive(&'static str),
    /// It began as an archive but cannot be read to its end.
    #[error("the archive cannot be read")]
    CorruptArchive(#[source] io::Error),
    /// One entry is of a kind or has a path that is not taken.
    #[error("the archive's entry {path:?} {reason}")]
    UnsafeEntry {
        /// Its path, made printable.
        path: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The unpacked archive passes a limit.
    #[error("the archive passes the limit of {0}")]
    Limit(Limit),
    /// The named coverage report is not inside.
    #[error("no {wanted} in the archive")]
    CoverageFileNotFound {
        /// The one that was asked for.
        wanted: CoverageFileName,
        /// The files inside that may be what was meant, the first few.
        found: Vec<String>,
    },
    /// The named coverage report cannot be read.
    #[error("{path} cannot be read")]
    UnreadableReport {
        /// Its path in the archive.
        path: String,
        /// What is wrong with it.
        #[source]
        source: ReportError,
    },
    /// The report cannot be stored.
    #[error("the report cannot be stored")]
    Reports(#[from] ReportsError),
    /// The record cannot be stored.
    #[error("the record cannot be stored")]
    Store(#[from] StoreError),
    /// A bug in this service.
    #[error("taking the upload in failed")]
    Panicked(#[source] tokio::task::JoinError),
    /// Too many uploads at once.
    #[error("too many uploads are under way")]
    Busy,
}

/// How a client is too slow, with the limit that it passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slowness {
    /// Seconds without a first byte of the body.
    NeverBegan(u64),
    /// Seconds without a further byte.
    Paused(u64),
    /// Bytes a second, at least.
    Dripped(u64),
    /// Seconds in all.
    Endless(u64),
}

impl fmt::Display for Slowness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeverBegan(limit) => write!(
                f,
                "did not begin within {limit} seconds (UPLOAD_START_SECONDS)"
            ),
            Self::Paused(limit) => write!(
                f,
                "stopped in its middle for {limit} seconds (UPLOAD_IDLE_SECONDS)"
            ),
            Self::Endless(limit) => {
                write!(f, "took longer than {limit} seconds (MAX_UPLOAD_SECONDS)")
            }
            Self::Dripped(limit) => write!(
                f,
                "came at less than {limit} bytes a second (MIN_UPLOAD_BYTES_PER_SECOND)"
            ),
        }
    }
}

/// A limit on unpacked archives, with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// All bytes of the unpacked archive.
    UnpackedBytes(u64),
    /// Bytes unpacked for each byte sent.
    CompressionRatio(u64),
    /// Compressed streams, one after the other.
    Streams(u64),
    /// Bytes that decompressing may look back.
    WindowBytes(u64),
    /// Bytes of one file.
    FileBytes(u64),
    /// Number of entries.
    Entries(u64),
    /// Bytes of the headers before one entry.
    HeaderBytes(u64),
    /// Bytes of one path.
    PathBytes(usize),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnpackedBytes(limit) => write!(f, "{limit} unpacked bytes (MAX_UNPACKED_BYTES)"),
            Self::CompressionRatio(limit) => write!(
                f,
                "{limit} bytes unpacked for each byte sent (MAX_COMPRESSION_RATIO)"
            ),
            Self::Streams(limit) => write!(
                f,
                "{limit} compressed streams one after the other (MAX_STREAMS)"
            ),
            Self::WindowBytes(limit) => write!(
                f,
                "{limit} bytes that decompressing may look back (MAX_WINDOW_BYTES); pack it with xz -6, or with zstd without --long and --ultra"
            ),
            Self::FileBytes(limit) => write!(f, "{limit} bytes for one file (MAX_FILE_BYTES)"),
            Self::HeaderBytes(limit) => write!(
                f,
                "{limit} bytes of headers for an entry (MAX_HEADER_BYTES)"
            ),
            Self::Entries(limit) => write!(f, "{limit} files and folders (MAX_ENTRIES)"),
            Self::PathBytes(limit) => write!(f, "{limit} bytes for a path (MAX_PATH_BYTES)"),
        }
    }
}
