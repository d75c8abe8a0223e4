//! Removes leptos's markers from pages, whose islands have markers of their own.

use crate::http::error::ApiError;
use app::without_markers;
use axum::{
    body::{Body, to_bytes},
    http::header,
    response::{IntoResponse, Response},
};

/// Removes the markers of a page. Other answers stay as they are.
pub(super) async fn removed(response: Response) -> Response {
    let media_type = response.headers().get(header::CONTENT_TYPE);
    if media_type.is_none_or(|media_type| !media_type.as_bytes().starts_with(b"text/html")) {
        return response;
    }
    let (head, body) = response.into_parts();
    // Every page is complete before its first byte is sent.
    match to_bytes(body, usize::MAX).await {
        Ok(page) => match std::str::from_utf8(&page) {
            Ok(html) => Response::from_parts(head, Body::from(without_markers(html))),
            Err(_) => Response::from_parts(head, Body::from(page)),
        },
        Err(error) => ApiError::unavailable(&error).into_response(),
    }
}
