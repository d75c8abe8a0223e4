//! Answers with an `ETag`, which are sent again only if they have changed.

use crate::{routes::fresh_cache::Weighed, text::hexadecimal};
use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};

/// Caches must revalidate: the answer may change with the next upload.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

/// A body with its `ETag`.
#[derive(Clone, Debug)]
pub(crate) struct Tagged {
    etag: String,
    body: Bytes,
}

impl Tagged {
    pub(super) fn new(body: Vec<u8>) -> Self {
        let digest = Sha256::digest(&body);
        Self {
            etag: format!("\"{}\"", hexadecimal(&digest[..16])),
            body: body.into(),
        }
    }

    /// Returns the answer, or 304 if the client already has it.
    pub(super) fn answer(self, headers: &HeaderMap, media_type: &'static str) -> Response {
        let is_known = matches(headers, &self.etag);
        let caching = [(header::CACHE_CONTROL, ASK_AGAIN)];
        let etag = [(header::ETAG, self.etag)];
        if is_known {
            return (StatusCode::NOT_MODIFIED, etag, caching).into_response();
        }
        let media_type = [(header::CONTENT_TYPE, HeaderValue::from_static(media_type))];
        (etag, caching, media_type, Body::from(self.body)).into_response()
    }
}

impl Weighed for Tagged {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.etag.len() + self.body.len()
    }
}

/// Returns the answer with this body, or 304 if the client already has it.
pub(super) fn revalidated(
    headers: &HeaderMap,
    media_type: &'static str,
    body: Vec<u8>,
) -> Response {
    Tagged::new(body).answer(headers, media_type)
}

/// Whether the client already has the answer with this `etag` (RFC 9110, section 13.1.2).
fn matches(headers: &HeaderMap, etag: &str) -> bool {
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|tag| tag.trim().trim_start_matches("W/"))
        .any(|tag| tag == "*" || tag == etag)
}
