//! The answers to an accepted upload, and to a part that will not come.

use crate::{
    http::error::ApiError,
    routes::{record_json::RecordJson, summary::SummaryJson},
    state::AppState,
};
use axum::{
    Json,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{Repository, text::chain};
use ingest::Accepted;
use serde::Serialize;
use store::{Published, Record, Standing};
use utoipa::ToSchema;

/// The result of an upload.
#[derive(Serialize, ToSchema)]
#[schema(as = Uploaded)]
pub(super) struct Answer<'a> {
    /// The record of this upload.
    coverage: RecordJson<'a>,
    /// The current record of every branch and language of the repository, the last updated one first.
    data: Vec<RecordJson<'a>>,
    /// The record as a pull request shows it, if the parameter `summary` is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<SummaryJson<'a>>,
}

/// The answer to a skipped part of a commit that has no record yet.
#[derive(Serialize, ToSchema)]
pub(super) struct Remembered<'a> {
    /// Always `null`: the first measured part of the commit creates the record.
    #[schema(value_type = Option<RecordJson>)]
    coverage: Option<RecordJson<'a>>,
    /// The current record of every branch and language of the repository, the last updated one first.
    data: Vec<RecordJson<'a>>,
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

/// Returns the records for the answer. The upload is already stored, so this must not fail.
pub(super) async fn current_records(state: &AppState, accepted: &Accepted) -> Vec<Record> {
    let record = &accepted.published.record;
    let writer = state.store.writer();
    let current = writer.current_records(&record.repository).await;
    current.unwrap_or_else(|error| {
        let cause = chain(&error);
        tracing::error!(cause, "an upload's answer lists only its own record");
        vec![record.clone()]
    })
}

pub(super) fn answer(
    published: &Published,
    current: &[Record],
    summary: Option<SummaryJson<'_>>,
) -> Response {
    let record = &published.record;
    let answer = Json(Answer {
        coverage: RecordJson::from(record),
        data: current.iter().map(RecordJson::from).collect(),
        summary,
    });
    let mut response = if published.is_new {
        let location = [(header::LOCATION, format!("/records/{}", record.id))];
        (StatusCode::CREATED, location, answer).into_response()
    } else {
        (StatusCode::OK, answer).into_response()
    };
    let (claim, reason) = match &published.standing {
        Standing::Current => return response,
        Standing::Superseded => (SUPERSEDED, String::new()),
        Standing::Incomplete(missing) => (NOT_CURRENT, format!("waiting for {missing}.")),
        Standing::Provisional => (QUEUED, String::new()),
        Standing::Unconfirmed(reason) => (NOT_CURRENT, reason.clone()),
        Standing::Kept(reason) => (KEPT, reason.clone()),
    };
    let notice = HeaderValue::from_str(format!("{claim} {reason}").trim_end());
    let notice = notice.unwrap_or(HeaderValue::from_static(claim));
    response.headers_mut().insert(NOTICE, notice);
    response
}

/// The header with a notice about an accepted upload, and its texts.
const NOTICE: HeaderName = HeaderName::from_static("x-coverage-notice");
const SUPERSEDED: &str = "Stored in the history: a newer commit of the branch is current.";
const QUEUED: &str = "Stored for the merge queue: it becomes a record of the branch when the branch contains the commit.";
const NOT_CURRENT: &str = "Stored in the history, but not current:";
const KEPT: &str = "Not stored, the confirmed record of this commit is unchanged:";
