//! The error answers for refused uploads.

use super::{ApiError, Code};
use formats::ErrorKind;
use ingest::{CoverageFileName, IngestError, MAX_CHANGES_BYTES, MAX_SETTINGS_BYTES};

impl From<IngestError> for ApiError {
    fn from(error: IngestError) -> Self {
        match error {
            IngestError::Body(reason) => Self::malformed(format!(
                "The multipart body is incomplete or malformed; send the upload again. ({reason})"
            )),
            IngestError::Slow(slowness) => Self::new(
                Code::UploadTooSlow,
                format!("The upload {slowness}; send it again over a faster connection."),
            ),
            IngestError::Busy => Self::busy(
                "Too many uploads are under way, or too many of this token or repository; send the upload again in a few seconds. If this happens often, ask the operator to raise CONCURRENT_UPLOADS.",
            ),
            IngestError::Preamble => Self::malformed(
                "More than 1 MiB of unknown parts come before the part `file`; leave them out.",
            ),
            IngestError::TooLarge(limit) => Self::too_large(format!(
                "The upload is larger than the {limit} bytes that the operator allows (MAX_UPLOAD_BYTES); send a smaller archive, or ask the operator to raise the limit."
            )),
            IngestError::UnknownArchive(what) => Self::unsupported(format!(
                "The part `file` is {what}; send a tar archive, plain or compressed with gzip, bzip2, xz or zstd, or a zip archive."
            )),
            IngestError::CorruptArchive(source) => Self::new(
                Code::CorruptArchive,
                format!(
                    "The archive is cut off or damaged; create it again and send it again. ({source})"
                ),
            ),
            IngestError::UnsafeEntry { path, reason } => Self::new(
                Code::UnsafeArchiveEntry,
                format!("The archive's entry {path:?} {reason}."),
            ),
            IngestError::Limit(limit) => Self::new(
                Code::ArchiveTooLarge,
                format!(
                    "The archive exceeds the limit of {limit}; {}.",
                    limit.advice()
                ),
            ),
            IngestError::CoverageFileNotFound { wanted, found } => {
                Self::new(Code::CoverageFileNotFound, not_found(&wanted, &found))
            }
            IngestError::UnreadableReport { path, source } => Self::new(
                Code::UnreadableCoverageReport,
                format!(
                    "{path} is not a readable coverage file: {source}{}.",
                    advice_on(source.kind())
                ),
            ),
            IngestError::InvalidPaths(error) => {
                Self::new(Code::InvalidPaths, format!("The part `paths`: {error}"))
            }
            IngestError::InvalidChanges(error) => Self::new(
                Code::InvalidChanges,
                format!("The part `changes`, {error}; send what `git diff -U0 -M BASE` prints."),
            ),
            IngestError::LongChanges => Self::too_large(format!(
                "The part `changes` is longer than {MAX_CHANGES_BYTES} bytes; send only the header lines of `git diff -U0 -M BASE`."
            )),
            IngestError::InvalidSettings(error) => Self::new(
                Code::InvalidSettings,
                format!("The part `settings`, {error}; correct coverage-dashboard.toml."),
            ),
            IngestError::LongSettings => Self::too_large(format!(
                "The part `settings` is longer than {MAX_SETTINGS_BYTES} bytes; send the file coverage-dashboard.toml."
            )),
            IngestError::CoverageFileNotNamed => {
                Self::parameter("coverage_xml_file_name", "is missing".to_owned())
            }
            IngestError::PartWithoutLines(part) => Self::new(
                Code::PartWithoutLines,
                format!(
                    "The coverage file of the part {part} has no lines, or too many, so it cannot be united with another part of the commit; send a format with lines, or upload it as a language of its own."
                ),
            ),
            IngestError::LinesExpired => Self::new(
                Code::NoLines,
                "The lines of the other parts are no longer kept, so the record cannot be computed without this one; delete the record instead.",
            ),
            IngestError::Reports(error) => error.into(),
            IngestError::Store(error) => error.into(),
            other => Self::unavailable(&other),
        }
    }
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

fn not_found(wanted: &CoverageFileName, found: &[String]) -> String {
    match found {
        [] => format!(
            "The archive does not contain {wanted} or any other coverage file; add the coverage file to the archive."
        ),
        _ => format!(
            "The archive does not contain {wanted}; set coverage_xml_file_name to one of: {}.",
            found.join(", ")
        ),
    }
}
