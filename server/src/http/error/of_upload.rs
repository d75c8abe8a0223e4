//! The error answers for refused uploads.

use super::{ApiError, Code};
use ingest::IngestError;

impl From<IngestError> for ApiError {
    fn from(error: IngestError) -> Self {
        let code = match error {
            IngestError::Body(_) | IngestError::Preamble | IngestError::CorruptPayload(_) => {
                Code::MalformedRequest
            }
            IngestError::Slow(_) => Code::UploadTooSlow,
            IngestError::Busy => Code::Unavailable,
            IngestError::TooLarge(_) | IngestError::LongChanges | IngestError::LongSettings => {
                Code::UploadTooLarge
            }
            IngestError::UnknownArchive(_) => Code::UnsupportedMediaType,
            IngestError::CorruptArchive(_) => Code::CorruptArchive,
            IngestError::UnsafeEntry { .. } => Code::UnsafeArchiveEntry,
            IngestError::Limit(_) => Code::ArchiveTooLarge,
            IngestError::CoverageFileNotFound { .. } | IngestError::NoCoverageFile => {
                Code::CoverageFileNotFound
            }
            IngestError::UnreadableReport { .. } => Code::UnreadableCoverageReport,
            IngestError::InvalidPaths(_) => Code::InvalidPaths,
            IngestError::InvalidChanges(_) => Code::InvalidChanges,
            IngestError::InvalidSettings(_) => Code::InvalidSettings,
            IngestError::PartWithoutLines(_) => Code::PartWithoutLines,
            IngestError::LinesExpired => Code::NoLines,
            IngestError::CoverageFileNotNamed => {
                return Self::parameter("coverage_xml_file_name", "is missing".to_owned());
            }
            IngestError::Reports(error) => return error.into(),
            IngestError::Store(error) => return error.into(),
            other => return Self::unavailable(&other),
        };
        Self::new(code, error.to_string())
    }
}
