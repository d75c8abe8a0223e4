//! The answers that Codecov's clients understand.

use crate::{
    http::error::{ApiError, Code},
    state::AppState,
};
use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::text::rfc3339;
use serde_json::json;
use store::now;

/// The answer to a refused call. The clients print the body of an answer below 500 and show none above, so what people can change is
/// below 500: no room left is 413.
pub(super) fn refused(refusal: ApiError, is_text: bool) -> Response {
    let detail = refusal.detail.clone();
    let mut response = refusal.into_response();
    if response.status() == StatusCode::INSUFFICIENT_STORAGE {
        *response.status_mut() = StatusCode::PAYLOAD_TOO_LARGE;
    }
    if !is_text {
        return response;
    }
    let mut text = (response.status(), detail).into_response();
    if let Some(after) = response.headers().get(header::RETRY_AFTER) {
        text.headers_mut()
            .insert(header::RETRY_AFTER, after.clone());
    }
    text
}

pub(super) fn unknown() -> ApiError {
    ApiError::not_found(
        "No client of Codecov calls this address, or it has been used or has expired; run the client again.",
    )
}

pub(super) fn unsupported() -> ApiError {
    ApiError::not_found(
        "This service takes coverage files only; leave out the other uploads of the client.",
    )
}

pub(super) fn other_method() -> ApiError {
    ApiError::new(
        Code::MethodNotAllowed,
        "Codecov's clients send another method to this address.",
    )
}

/// The answer that names the address of the body, and the page of the repository.
pub(super) fn body_at(state: &AppState, id: &str, address: &str, repository: &str) -> Response {
    let answer = json!({
        "external_id": id,
        "created_at": rfc3339(now()),
        "raw_upload_location": address,
        "url": page(state, repository),
    });
    (StatusCode::CREATED, Json(answer)).into_response()
}

/// The answer of the legacy interface: two lines, without an end of line after the second.
pub(super) fn two_lines(state: &AppState, address: &str, repository: &str) -> Response {
    let mut response = format!("{}\n{address}", page(state, repository)).into_response();
    let plain = HeaderValue::from_static("text/plain");
    response.headers_mut().insert(header::CONTENT_TYPE, plain);
    response
}

/// The page of a repository.
pub(super) fn page(state: &AppState, repository: &str) -> String {
    format!("{}/repos/{repository}", state.public_url.0)
}

/// The answer to calls whose answer no client uses.
pub(super) fn created() -> Response {
    (StatusCode::CREATED, Json(json!({}))).into_response()
}

/// The answer to a stored body.
pub(super) fn stored(url: &str) -> Response {
    Json(json!({ "url": url })).into_response()
}

/// The answer to a body with its parameters.
pub(super) fn uploaded(id: &str, url: &str) -> Response {
    let message = "Coverage reports upload successfully";
    Json(json!({ "message": message, "uploaded": true, "queued": true, "id": id, "url": url }))
        .into_response()
}

pub(super) fn completed(uploads: usize) -> Response {
    let status = match uploads {
        0 => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    };
    let answer = json!({
        "uploads_total": uploads,
        "uploads_success": uploads,
        "uploads_processing": 0,
        "uploads_error": 0,
    });
    (status, Json(answer)).into_response()
}

pub(super) fn said(result: &str) -> Response {
    Json(json!({ "result": result, "non_ignored_files": [] })).into_response()
}

pub(super) fn deprecated() -> Response {
    let message = "The results are on the page of the repository.";
    let result = json!({ "state": "deprecated", "message": message });
    Json(json!({ "state": "completed", "result": result })).into_response()
}
