//! Uploads without an archive: no further part of a commit will come, or one will not.

use crate::{http::error::ApiError, routes::record_json::RecordJson, state::AppState};
use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use domain::Repository;
use ingest::{Accepted, Upload};
use serde::Serialize;
use store::Closed;
use utoipa::ToSchema;

/// The answer to a skipped part of a commit that has no record yet.
#[derive(Serialize, ToSchema)]
pub(super) struct Remembered<'a> {
    /// Always `null`: the first measured part of the commit creates the record.
    #[schema(value_type = Option<RecordJson>)]
    coverage: Option<RecordJson<'a>>,
    /// The current record of every branch and language of the repository, the last updated one first.
    data: Vec<RecordJson<'a>>,
}

/// Stores an upload without an archive. If the commit has no record in this language yet, returns the repository, with the
/// records in other languages that the upload completed.
pub(super) async fn close(
    state: &AppState,
    upload: Upload,
) -> Result<Result<Accepted, (Repository, Vec<i64>)>, ApiError> {
    let repository = upload.repository.clone();
    match state.ingest.close(upload).await? {
        Closed::Record(published) => Ok(Ok(Accepted::without_archive(*published))),
        Closed::Remembered(completed) => Ok(Err((repository, completed))),
        Closed::NoRecord => Err(ApiError::not_found(
            "No part of this commit has arrived, so there is nothing to finish; upload a part first, or correct branch_name, commit_hash and language.",
        )),
    }
}

pub(super) async fn remembered(
    state: &AppState,
    repository: &Repository,
) -> Result<Response, ApiError> {
    let current = state.store.writer().current_records(repository).await?;
    let answer = Remembered {
        coverage: None,
        data: current.iter().map(RecordJson::from).collect(),
    };
    Ok((StatusCode::ACCEPTED, Json(answer)).into_response())
}
