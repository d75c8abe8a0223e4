//! When lines came and last ran: what the answers about the history of lines share.

pub(super) mod cold;
pub(super) mod new_code;

use crate::http::error::{ApiError, Code};
use domain::{ChainRecord, text::rfc3339};
use serde::Serialize;
use utoipa::ToSchema;

/// A record in the history of lines.
#[derive(Serialize, ToSchema)]
#[schema(as = HistoryRecord)]
pub(super) struct ChainRecordJson {
    /// The `id` of the record.
    #[schema(minimum = 1, examples(17))]
    id: i64,
    /// Its commit.
    #[schema(examples("9be01d2f6a7c4e5b8d3f1a2b3c4d5e6f7a8b9c0d"))]
    commit_hash: String,
    /// When the commit was first uploaded.
    #[schema(format = DateTime, examples("2026-04-05T17:15:59.624890+00:00"))]
    created_at: String,
}

impl From<ChainRecord> for ChainRecordJson {
    fn from(record: ChainRecord) -> Self {
        Self {
            id: record.id,
            commit_hash: record.commit.to_string(),
            created_at: rfc3339(record.created_at),
        }
    }
}

pub(super) fn unknown_since() -> ApiError {
    ApiError::new(
        Code::UnknownSince,
        "There is no record for `since`; name a record, a commit or a tag of this repository.",
    )
}

pub(super) fn no_history() -> ApiError {
    ApiError::new(
        Code::NoHistory,
        "The lines of this record have no history: only complete records of the main branch have one, a moment after the upload.",
    )
}
