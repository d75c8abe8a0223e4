//! The answer if a report or a file of it cannot be sent: a page for browsers, a problem document for other clients.

use super::{
    address::report_path,
    answer::ASK_AGAIN,
    document::{document, escaped},
    file_request::FileRequest,
    serving::Serving,
};
use crate::{http::error::ApiError, routes::navigation::VARY};
use axum::{
    http::header,
    response::{IntoResponse, Response},
};

/// Returns the answer. The page links to the start of the report of record `id`, if given, and to the dashboard.
pub(super) fn answer(
    error: ApiError,
    serving: &Serving,
    request: &FileRequest,
    id: Option<i64>,
) -> Response {
    let detail = escaped(error.detail());
    let mut response = error.into_response();
    if request.is_navigation() {
        let start = id.map(|id| {
            let address = report_path(id, None, "");
            format!("<p><a href=\"{address}\">Go to the start of this report</a></p>\n")
        });
        let body = format!(
            "<p>{detail}</p>\n{}<p><a href=\"{}\">Go to the dashboard</a></p>\n",
            start.unwrap_or_default(),
            escaped(&serving.dashboard)
        );
        let title = response.status().canonical_reason().unwrap_or("Error");
        let (parts, body) = document(title, &body).into_parts();
        *response.body_mut() = body;
        response.headers_mut().remove(header::CONTENT_LENGTH);
        response.headers_mut().extend(parts.headers);
    }
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, ASK_AGAIN);
    headers.insert(header::VARY, VARY);
    response
}
