//! The answers that all of Coveralls' clients understand. Some take any key `error` as a failure, whatever its value.

use crate::{http::error::ApiError, state::AppState};
use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use ingest::Accepted;
use serde_json::json;

/// Answers a stored job.
pub(super) fn done(state: &AppState, accepted: &[Accepted]) -> Response {
    let ids: Vec<_> = accepted.iter().map(|it| it.published.record.id).collect();
    let first = ids.first().copied().unwrap_or_default();
    let named = ids.iter().map(|id| format!("#{id}"));
    let message = format!("Job {}", named.collect::<Vec<_>>().join(", "));
    Json(json!({"message": message, "url": url(state, first)})).into_response()
}

/// Answers the webhook of a build.
pub(super) fn ended(state: &AppState, record_id: i64) -> Response {
    Json(json!({"done": true, "url": url(state, record_id)})).into_response()
}

fn url(state: &AppState, record_id: i64) -> String {
    format!("{}/records/{record_id}", state.public_url.0)
}

/// Gives a refusal the shape that the clients print.
pub(super) fn answered(answer: Result<Response, ApiError>) -> Response {
    answer.unwrap_or_else(|refusal| {
        let shown = Json(json!({"message": refusal.detail, "error": true}));
        let (mut head, _) = refusal.into_response().into_parts();
        // Some clients do not show the body of an answer above 500.
        if head.status == StatusCode::INSUFFICIENT_STORAGE {
            head.status = StatusCode::PAYLOAD_TOO_LARGE;
        }
        let json = HeaderValue::from_static("application/json");
        head.headers.insert(header::CONTENT_TYPE, json);
        head.headers.remove(header::CONTENT_LENGTH);
        Response::from_parts(head, shown.into_response().into_body())
    })
}
