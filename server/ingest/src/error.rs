//! The reasons why an upload is refused or fails.

use super::{CoverageFileName, ListingError, SettingsError};
use domain::PartName;
use formats::ReportError;
use lines::ChangesError;
use objects::ReportsError;
use std::io;
use store::StoreError;
use thiserror::Error;

/// Why an upload was not accepted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IngestError {
    /// The multipart body is interrupted or malformed.
    #[error("the multipart body cannot be read: {0}")]
    Body(String),
    /// The client sends nothing, or sends too slowly.
    #[error("the client {0}")]
    Slow(Slowness),
    /// Too many bytes of unknown parts come before the part with the archive.
    #[error("too many bytes of unknown parts before the part `file`")]
    Preamble,
    /// More bytes than allowed were sent.
    #[error("the upload is larger than {0} bytes")]
    TooLarge(u64),
    /// The upload is not an archive of a known kind.
    #[error("the part `file` is {0}")]
    UnknownArchive(&'static str),
    /// The upload starts like an archive, but cannot be read to its end.
    #[error("the archive cannot be read")]
    CorruptArchive(#[source] io::Error),
    /// The kind or the path of an entry is not accepted.
    #[error("the archive's entry {path:?} {reason}")]
    UnsafeEntry {
        /// The path of the entry, made printable.
        path: String,
        /// The reason, as the end of a sentence.
        reason: &'static str,
    },
    /// The archive exceeds a limit.
    #[error("the archive exceeds the limit of {0}")]
    Limit(Limit),
    /// The named coverage file is not in the archive.
    #[error("no {wanted} in the archive")]
    CoverageFileNotFound {
        /// The requested name.
        wanted: CoverageFileName,
        /// The first few files in the archive that the client may have meant.
        found: Vec<String>,
    },
    /// The named coverage file cannot be read.
    #[error("{path} cannot be read")]
    UnreadableReport {
        /// The path of the coverage file in the archive.
        path: String,
        /// The error of the reader.
        #[source]
        source: ReportError,
    },
    /// The part `paths` is not a list of paths.
    #[error("the part `paths` cannot be read")]
    InvalidPaths(#[source] ListingError),
    /// The part `changes` is not a diff.
    #[error("the part `changes` cannot be read")]
    InvalidChanges(#[source] ChangesError),
    /// The part `changes` is longer than [`MAX_CHANGES_BYTES`](super::MAX_CHANGES_BYTES).
    #[error("the part `changes` is too long")]
    LongChanges,
    /// The part `settings` cannot be used.
    #[error("the part `settings` cannot be used")]
    InvalidSettings(#[source] SettingsError),
    /// The part `settings` is longer than [`MAX_SETTINGS_BYTES`](super::MAX_SETTINGS_BYTES).
    #[error("the part `settings` is too long")]
    LongSettings,
    /// The archive arrived, but the request does not name its coverage file.
    #[error("the request does not name the coverage file")]
    CoverageFileNotNamed,
    /// A part of the commit has no lines, so it cannot be united with others.
    #[error("the part {0} has no lines")]
    PartWithoutLines(PartName),
    /// The lines of the other parts have expired.
    #[error("the lines of the other parts are no longer kept")]
    LinesExpired,
    /// The report cannot be stored.
    #[error("the report cannot be stored")]
    Reports(#[from] ReportsError),
    /// The record cannot be stored.
    #[error("the record cannot be stored")]
    Store(#[from] StoreError),
    /// A bug in this service.
    #[error("the upload failed")]
    Panicked(#[from] tokio::task::JoinError),
    /// Too many uploads at once.
    #[error("too many uploads are in progress")]
    Busy,
}

/// How a client is too slow, with the exceeded limit.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Slowness {
    /// The limit in seconds for the first byte of the body.
    #[error("did not start within {0} seconds")]
    NeverBegan(u64),
    /// The limit in seconds for the next byte.
    #[error("paused for more than {0} seconds")]
    Paused(u64),
    /// The minimum in bytes per second.
    #[error("was slower than {0} bytes per second")]
    Dripped(u64),
    /// The limit in seconds for the whole body.
    #[error("took longer than {0} seconds")]
    Endless(u64),
}

/// A limit on unpacked archives, with its value.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Limit {
    /// Bytes of the whole unpacked archive.
    #[error("{0} unpacked bytes (MAX_UNPACKED_BYTES)")]
    UnpackedBytes(u64),
    /// Bytes unpacked for each byte sent.
    #[error("{0} bytes unpacked for each byte sent")]
    CompressionRatio(u64),
    /// Number of concatenated compressed streams.
    #[error("{0} concatenated compressed streams")]
    Streams(u64),
    /// Bytes of the decompression window.
    #[error("{0} bytes for the decompression window")]
    WindowBytes(u64),
    /// Bytes of one file.
    #[error("{0} bytes for one file")]
    FileBytes(u64),
    /// Number of entries.
    #[error("{0} files and folders")]
    Entries(u64),
    /// Bytes of the headers before one entry.
    #[error("{0} bytes of headers for an entry")]
    HeaderBytes(u64),
    /// Bytes of one path.
    #[error("{0} bytes for a path")]
    PathBytes(usize),
    /// The lines, files and bytes of paths of all parts together.
    #[error("{} lines, {} files or {} bytes of paths for all parts of a commit", .0.lines, .0.files, .0.path_bytes)]
    Lines(lines::Limits),
}

impl Limit {
    /// Returns the advice for the sender of the archive.
    pub fn advice(self) -> &'static str {
        match self {
            Self::UnpackedBytes(_) => {
                "send a smaller archive, or ask the operator to raise the limit"
            }
            Self::CompressionRatio(_) => {
                "leave out files that repeat the same bytes; no real coverage report needs them"
            }
            Self::Streams(_) => "pack it as one stream, such as with tar -czf",
            Self::WindowBytes(_) => "pack it with xz -6, or with zstd without --long and --ultra",
            Self::FileBytes(_) => "leave that file out",
            Self::Entries(_) => "pack only the HTML report and the coverage file",
            Self::HeaderBytes(_) => "pack it with shorter paths and without extended attributes",
            Self::PathBytes(_) => "pack it with shorter paths",
            Self::Lines(_) => "measure fewer files, or upload the part as a language of its own",
        }
    }
}
