//! What follows an accepted upload: its analysis, its summary, and the answer.

use crate::{
    routes::{
        record_json::RecordJson,
        summary::{self, SummaryJson},
    },
    state::AppState,
};
use axum::{
    Json,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{RecordParts, text::chain};
use ingest::Accepted;
use serde::Serialize;
use store::{Published, Record, RecordSummary, Standing};
use tokio::task::JoinHandle;
use tracing::Instrument;
use utoipa::ToSchema;

/// The result of an upload.
#[derive(Serialize, ToSchema)]
#[schema(as = Uploaded)]
pub(super) struct Answer<'a> {
    /// The record of this upload.
    coverage: RecordJson<'a>,
    /// The current record of every branch and language of the repository, the last updated one first.
    data: Vec<RecordJson<'a>>,
    /// What a pull request says about the record, if the parameter `summary` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<SummaryJson<'a>>,
}

/// Starts what follows from the lines of a record, in a task of its own. The returned one ends when the record is analysed.
pub(super) fn analyse(state: &AppState, record_id: i64) -> JoinHandle<()> {
    let ingest = state.ingest.clone();
    let analysing = async move { ingest.analyse(record_id).await };
    let analysing = state.uploads.spawn(analysing.in_current_span());
    let ingest = state.ingest.clone();
    let searching = async move { ingest.find_flicker(record_id).await };
    state.uploads.spawn(searching.in_current_span());
    analysing
}

/// Returns the summary for the answer. The upload is already stored, so this must not fail.
pub(super) async fn summary(state: &AppState, accepted: &Accepted) -> RecordSummary {
    let record = &accepted.published.record;
    let known = || RecordSummary {
        record: record.clone(),
        has_report: false,
        paths: accepted.paths.clone(),
        uploaded_paths: accepted.paths.clone(),
        parts: RecordParts::default(),
        base: None,
        measured_commit: None,
        pull_request: None,
        changed_lines: None,
        unknown_changes: None,
        lost: None,
        gate: None,
        explanation: None,
        misfits: Vec::new(),
        sum_of_lines: None,
    };
    match state.store.record_summary(record.id).await {
        Ok(Some(summary)) => RecordSummary {
            uploaded_paths: accepted.paths.clone(),
            ..summary
        },
        Ok(None) => known(),
        Err(error) => {
            let cause = chain(&error);
            tracing::error!(cause, "an upload's summary lacks what is stored");
            known()
        }
    }
}

/// Returns the other languages of the commit. The upload is already stored, so this must not fail.
pub(super) async fn beside(state: &AppState, record_id: i64) -> Vec<RecordSummary> {
    summary::beside(state, record_id)
        .await
        .unwrap_or_else(|error| {
            let cause = chain(&error);
            tracing::error!(cause, "a summary lacks the other languages of its commit");
            Vec::new()
        })
}

/// Returns the records for the answer. The upload is already stored, so this must not fail.
pub(super) async fn current_records(state: &AppState, accepted: &Accepted) -> Vec<Record> {
    let record = &accepted.published.record;
    match state.store.current_records(&record.repository).await {
        Ok(records) => records,
        Err(error) => {
            let cause = chain(&error);
            tracing::error!(cause, "an upload's answer lists only its own record");
            vec![record.clone()]
        }
    }
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
        Standing::Unconfirmed(reason) => (NOT_CURRENT, reason.clone()),
        Standing::Kept(reason) => (KEPT, reason.clone()),
    };
    let notice = HeaderValue::from_str(format!("{claim} {reason}").trim_end());
    let notice = notice.unwrap_or(HeaderValue::from_static(claim));
    response.headers_mut().insert(NOTICE, notice);
    response
}

/// The header with a notice about an accepted upload.
const NOTICE: HeaderName = HeaderName::from_static("x-coverage-notice");

/// The notice if a newer commit is current.
const SUPERSEDED: &str = "Stored in the history: a newer commit of the branch is current.";

/// The notice for an unconfirmed or incomplete record.
const NOT_CURRENT: &str = "Stored in the history, but not current:";

/// The notice if the commit already has a confirmed record.
const KEPT: &str = "Not stored, the confirmed record of this commit is unchanged:";
