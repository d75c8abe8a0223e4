//! Answers with a document that has no scripts: the login page, and the answers to forms.

use crate::{http::security, state::AppState};
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};

/// Whether a client is a browser that shows a page.
pub(super) fn is_wanted(headers: &HeaderMap) -> bool {
    let accepts = headers.get(header::ACCEPT);
    let accepts = accepts.and_then(|accept| accept.to_str().ok());
    accepts.is_some_and(|accept| accept.contains("text/html"))
}

/// Replaces the body of an answer by a document, which nobody keeps. The status stays.
pub(super) fn with_page(state: &AppState, mut response: Response, html: String) -> Response {
    *response.body_mut() = Body::from(html);
    let policy = security::login_policy(state.reports_origin.as_deref());
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_LENGTH);
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, policy.as_str()),
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
        (header::VARY, "accept"),
    ] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    }
    response
}
