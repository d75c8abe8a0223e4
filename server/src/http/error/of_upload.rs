//! What a client is told about an upload that was refused.

use super::{ApiError, Code};
use crate::ingest::{CoverageFileName, IngestError};
use report::ErrorKind;

impl From<IngestError> for ApiError {
    fn from(error: IngestError) -> Self {
        match error {
            IngestError::Body(reason) => Self::new(
                Code::MalformedRequest,
                format!(
                    "The multipart body broke off or is not well-formed; send the upload again. ({reason})"
                ),
            ),
            IngestError::Slow(slowness) => Self::new(
                Code::UploadTooSlow,
                format!("The upload {slowness}; send it again over a steadier connection."),
            ),
            IngestError::Busy => Self::busy(
                "As many uploads as the operator allows are under way and waiting (CONCURRENT_UPLOADS, WAITING_UPLOADS, UPLOAD_WAIT_SECONDS), or as many as one token or repository may have (MAX_UPLOAD_SHARE); send it again in a few seconds.",
            ),
            IngestError::Preamble => Self::new(
                Code::MalformedRequest,
                "The multipart body does not begin with the part `file`; send the archive as its first part.",
            ),
            IngestError::TooLarge(limit) => Self::new(
                Code::UploadTooLarge,
                format!(
                    "The upload is larger than the {limit} bytes that the operator allows (MAX_UPLOAD_BYTES)."
                ),
            ),
            IngestError::UnknownArchive(what) => Self::new(
                Code::UnsupportedMediaType,
                format!(
                    "The part `file` is {what}; send a tar archive, plain or compressed with gzip, bzip2, xz or zstd, or a zip archive."
                ),
            ),
            IngestError::CorruptArchive(source) => Self::new(
                Code::CorruptArchive,
                format!(
                    "The archive is cut off or damaged; pack it anew and send it again. ({source})"
                ),
            ),
            IngestError::UnsafeEntry { path, reason } => Self::new(
                Code::UnsafeArchiveEntry,
                format!("The archive's entry {path:?} {reason}."),
            ),
            IngestError::Limit(limit) => Self::new(
                Code::ArchiveTooLarge,
                format!("The archive passes the operator's limit of {limit}."),
            ),
            IngestError::CoverageFileNotFound { wanted, found } => {
                Self::new(Code::CoverageFileNotFound, not_found(&wanted, &found))
            }
            IngestError::UnreadableReport { path, source } => Self::new(
                Code::UnreadableCoverageReport,
                format!(
                    "{path} is not a coverage report that can be read: {source}{}.",
                    set_by(source.kind())
                ),
            ),
            IngestError::Reports(error) => error.into(),
            IngestError::Store(error) => error.into(),
            other => Self::unavailable(&other),
        }
    }
}

/// What the operator sets a limit of the report's reader by.
fn set_by(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::TooDeep(_) => " (MAX_REPORT_DEPTH)",
        ErrorKind::TokenTooLong(_) => " (MAX_REPORT_TOKEN_BYTES)",
        ErrorKind::TooManyFiles(_) => " (MAX_REPORT_MEMORY_BYTES)",
        _ => "",
    }
}

fn not_found(wanted: &CoverageFileName, found: &[String]) -> String {
    match found {
        [] => format!(
            "The archive holds no {wanted}, nor anything else that looks like a coverage report; add the tool's report to it."
        ),
        _ => format!(
            "The archive holds no {wanted}; set coverage_xml_file_name to one of: {}.",
            found.join(", ")
        ),
    }
}
