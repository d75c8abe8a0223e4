//! The reasons why an upload is refused or fails.

use super::{CoverageFileName, ListingError, MAX_SETTINGS_BYTES, SettingsError};
use domain::PartName;
use formats::{ErrorKind, ReportError};
use lines::ChangesError;
use objects::ReportsError;
use std::io;
use store::StoreError;
use thiserror::Error;

/// The most bytes of a diff.
pub const MAX_CHANGES_BYTES: usize = 8 << 20;

/// Why an upload was not accepted. The text is a sentence for the client. If the service failed, the text is for the log.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IngestError {
    /// The multipart body is interrupted or malformed.
    #[error("The multipart body is incomplete or malformed; send the upload again. ({0})")]
    Body(String),
    /// The client sends nothing, or sends too slowly.
    #[error("The upload {0}; send it again over a faster connection.")]
    Slow(Slowness),
    /// Too many bytes of unknown form fields come before the archive.
    #[error("More than 1 MiB of unknown fields come before the form field `file`; leave them out.")]
    Preamble,
    /// More bytes than allowed were sent.
    #[error(
        "The upload is larger than the {0} bytes that the operator allows (MAX_UPLOAD_BYTES); send a smaller archive, or ask the operator to raise the limit."
    )]
    TooLarge(u64),
    /// The upload is not an archive of a known kind.
    #[error(
        "The form field `file` is {0}; send a tar archive, plain or compressed with gzip, bzip2, xz or zstd, or a zip archive."
    )]
    UnknownArchive(&'static str),
    /// The upload starts like an archive, but cannot be read to its end.
    #[error("The archive is cut off or damaged; create it again and send it again. ({0})")]
    CorruptArchive(io::Error),
    /// The kind or the path of an entry is not accepted.
    #[error("The archive's entry {path:?} {reason}.")]
    UnsafeEntry {
        /// The path of the entry, made printable.
        path: String,
        /// The reason, as the end of a sentence.
        reason: &'static str,
    },
    /// The archive exceeds a limit.
    #[error("The archive exceeds the limit of {0}; {advice}.", advice = .0.advice())]
    Limit(Limit),
    /// The named coverage file is not in the archive.
    #[error("The archive does not contain {wanted}{}.", advice_on_missing(.found))]
    CoverageFileNotFound {
        /// The requested name.
        wanted: CoverageFileName,
        /// The first few files in the archive that the client may have meant.
        found: Vec<String>,
    },
    /// An upload without an archive has no coverage file.
    #[error(
        "The upload has no coverage file; run the tests with coverage first, and name the file of the coverage tool."
    )]
    NoCoverageFile,
    /// The body from a client of another service, such as Codecov or Coveralls, cannot be read to its end.
    #[error(
        "The body is cut off or damaged, or it is not what the client of this interface sends; send it again. ({0})"
    )]
    CorruptPayload(String),
    /// The named coverage file cannot be read.
    #[error("{path} is not a readable coverage file: {error}{}.", advice_on(.error.kind()))]
    UnreadableReport {
        /// The path of the coverage file in the archive.
        path: String,
        /// The error of the reader.
        error: ReportError,
    },
    /// The form field `paths` is not a list of paths.
    #[error("The form field `paths`: {0}")]
    InvalidPaths(ListingError),
    /// The form field `changes` is not a diff.
    #[error("The form field `changes`, {0}; send what `git diff -U0 -M BASE` prints.")]
    InvalidChanges(ChangesError),
    /// The form field `changes` is too long.
    #[error(
        "The form field `changes` is longer than {MAX_CHANGES_BYTES} bytes; send only the header lines of `git diff -U0 -M BASE`."
    )]
    LongChanges,
    /// The form field `settings` cannot be used.
    #[error("The form field `settings`, {0}; correct coverage-dashboard.toml.")]
    InvalidSettings(SettingsError),
    /// The form field `settings` is too long.
    #[error(
        "The form field `settings` is longer than {MAX_SETTINGS_BYTES} bytes; send the file coverage-dashboard.toml."
    )]
    LongSettings,
    /// The archive arrived, but the request does not name its coverage file.
    #[error("the request does not name the coverage file")]
    CoverageFileNotNamed,
    /// A part has no stored lines, because its coverage file has no lines or too many. The part cannot be united with others.
    #[error(
        "The coverage file of the part {0} has no lines, or too many lines, so the part cannot be united with another part of the commit; send a format with lines, measure fewer files, or upload the part with another value of the parameter `language`."
    )]
    PartWithoutLines(PartName),
    /// The lines of the other parts have expired.
    #[error(
        "The lines of the other parts are no longer stored, so the record cannot be computed without this part; delete the whole record instead."
    )]
    LinesExpired,
    /// The HTML report cannot be stored.
    #[error("the HTML report cannot be stored")]
    Reports(#[from] ReportsError),
    /// The record cannot be stored.
    #[error("the record cannot be stored")]
    Store(#[from] StoreError),
    /// A bug in this service.
    #[error("the upload failed")]
    Panicked(#[from] tokio::task::JoinError),
    /// Too many uploads at once.
    #[error(
        "Too many uploads are under way, or too many of this token or repository; send the upload again in a few seconds. If this happens often, ask the operator to raise CONCURRENT_UPLOADS."
    )]
    Busy,
}

fn advice_on(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::TooDeep(_) | ErrorKind::TokenTooLong(_) => {
            "; send another format that the coverage tool writes"
        }
        ErrorKind::TooManyFiles(_) => {
            "; measure fewer files, or ask the operator to raise MAX_REPORT_MEMORY_BYTES"
        }
        _ => "",
    }
}

fn advice_on_missing(found: &[String]) -> String {
    match found {
        [] => " or any other coverage file; add the coverage file to the archive".to_owned(),
        found => format!(
            "; set coverage_xml_file_name to one of: {}",
            found.join(", ")
        ),
    }
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
    /// Number of coverage files in one upload.
    #[error("{0} coverage files in one upload")]
    CoverageFiles(u64),
    /// Number of languages in one upload.
    #[error("{0} languages in one upload")]
    Languages(u64),
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
            Self::FileBytes(_) => "leave out the files that are larger",
            Self::Entries(_) => "pack only the HTML report and the coverage file",
            Self::CoverageFiles(_) => {
                "give the client the names of the job's coverage files, so that it does not search for all coverage files"
            }
            Self::Languages(_) => "upload the coverage files of each language by a job of its own",
            Self::HeaderBytes(_) => "pack it with shorter paths and without extended attributes",
            Self::PathBytes(_) => "pack it with shorter paths",
            Self::Lines(_) => {
                "measure fewer files, or upload the part with another value of the parameter `language`"
            }
        }
    }
}
