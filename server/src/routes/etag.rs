//! Answers that are sent again only where they have changed.

use crate::hexadecimal::hexadecimal;
use axum::{
    body::Body,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};

/// Caches keep it, but ask each time: it may change with the next upload.
const ASK_AGAIN: &str = "no-cache";

/// The answer, or 304 to a client that has it already.
pub(super) fn revalidated(
    headers: &HeaderMap,
    media_type: &'static str,
    body: Vec<u8>,
) -> Response {
    let digest = Sha256::digest(&body);
    let etag = format!("\"{}\"", hexadecimal(&digest[..16]));
    let is_known = matches(headers, &etag);
    let caching = [
        (header::ETAG, etag),
        (header::CACHE_CONTROL, ASK_AGAIN.to_owned()),
    ];
    if is_known {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let media_type = [(header::CONTENT_TYPE, media_type)];
    (caching, media_type, Body::from(body)).into_response()
}

/// Whether the client already has what `etag` names (RFC 9110, section 13.1.2).
fn matches(headers: &HeaderMap, etag: &str) -> bool {
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|tag| tag.trim().trim_start_matches("W/"))
        .any(|tag| tag == "*" || tag == etag)
}
