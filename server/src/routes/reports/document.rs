//! Our own pages among reports: HTML without scripts and without other files.

use super::{address::report_path, answer::ASK_AGAIN, file_request::FileRequest, located::Serving};
use crate::{
    http::{error::ApiError, security::OWN_PAGE_POLICY},
    routes::navigation::VARY,
};
use axum::{
    http::header,
    response::{Html, IntoResponse, Response},
};

/// The dashboard's colours, since its style sheet cannot be loaded from a sandbox.
const STYLE: &str = include_str!("document.css");

/// Returns a whole page; `title` is text, `body` is HTML.
pub(super) fn document(title: &str, body: &str) -> Response {
    let title = escaped(title);
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n<main>\n<h1>{title}</h1>\n{body}</main>\n</html>\n"
    );
    let headers = [(header::CONTENT_SECURITY_POLICY, OWN_PAGE_POLICY)];
    (headers, Html(html)).into_response()
}

/// Returns the answer if a report or a file of it cannot be sent: a page for browsers, a problem document for other clients. The
/// page links to the start of the report of record `id`, if given, and to the dashboard.
pub(super) fn missing(
    error: ApiError,
    serving: &Serving,
    request: &FileRequest,
    id: Option<i64>,
) -> Response {
    let detail = escaped(&error.detail);
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

/// Escapes text for HTML, also within quotes.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
