//! Answers with an `ETag`, which are sent again only if they have changed.

use crate::{fresh_cache::Weighed, http::error::ApiError};
use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::text::hexadecimal;
use headers::{ETag, HeaderMapExt, IfNoneMatch};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Caches must revalidate: the answer may change with the next upload.
pub(super) const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

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

    /// For a body that is compressed as it is sent, so that its bytes may differ.
    pub(super) fn weak(body: Vec<u8>) -> Self {
        let strong = Self::new(body);
        Self {
            etag: format!("W/{}", strong.etag),
            ..strong
        }
    }

    /// Returns the answer, or 304 if the client already has it.
    pub(super) fn answer(self, headers: &HeaderMap, media_type: &'static str) -> Response {
        tagged(headers, self.etag, media_type, || Body::from(self.body))
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

/// Returns the answer with a text that browsers show, or 304 if the client already has it.
pub(super) fn plain_text(headers: &HeaderMap, text: String) -> Response {
    revalidated(headers, "text/plain; charset=utf-8", text.into_bytes())
}

/// Returns the answer with a value as JSON, or 304 if the client already has it.
pub(super) fn json(headers: &HeaderMap, value: &impl Serialize) -> Result<Response, ApiError> {
    let body = serde_json::to_vec(value)?;
    Ok(revalidated(headers, "application/json", body))
}

/// Returns the answer of `body`, or 304 if the client already has the answer of this `version`, which changes whenever the body does.
/// The body is not built for a 304.
pub(super) fn streamed(
    headers: &HeaderMap,
    media_type: &'static str,
    version: &str,
    body: impl FnOnce() -> Body,
) -> Response {
    tagged(headers, format!("W/\"{version}\""), media_type, body)
}

fn tagged(
    headers: &HeaderMap,
    etag: String,
    media_type: &'static str,
    body: impl FnOnce() -> Body,
) -> Response {
    let is_known = is_known(headers, &etag);
    let (caching, etag) = ([(header::CACHE_CONTROL, ASK_AGAIN)], [(header::ETAG, etag)]);
    if is_known {
        return (StatusCode::NOT_MODIFIED, etag, caching).into_response();
    }
    let media_type = [(header::CONTENT_TYPE, HeaderValue::from_static(media_type))];
    (etag, caching, media_type, body()).into_response()
}

/// Whether the client already has the answer with this `etag` (RFC 9110, section 13.1.2).
fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    let had: Option<IfNoneMatch> = headers.typed_get();
    let etag: Option<ETag> = etag.parse().ok();
    had.zip(etag)
        .is_some_and(|(had, etag)| !had.precondition_passes(&etag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_known_by_its_tag_in_any_list_or_as_a_weak_one() {
        let tagged = Tagged::new(b"body".to_vec());
        let answer = |tags: &str| {
            let tags = HeaderValue::from_str(tags).expect("a header");
            let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, tags)]);
            tagged.clone().answer(&headers, "text/plain")
        };
        let etag = &tagged.etag;
        for known in ["*", etag, &format!("W/{etag}"), &format!("\"a\", W/{etag}")] {
            assert_eq!(answer(known).status(), StatusCode::NOT_MODIFIED, "{known}");
        }
        let weak = Tagged::weak(b"body".to_vec());
        let headers = HeaderMap::from_iter([(
            header::IF_NONE_MATCH,
            HeaderValue::from_str(&weak.etag).expect("a header"),
        )]);
        assert_eq!(
            weak.answer(&headers, "text/plain").status(),
            StatusCode::NOT_MODIFIED
        );
        for other in ["\"a\"", "a", "", "\"a\", \"b\""] {
            assert_eq!(answer(other).status(), StatusCode::OK, "{other}");
        }
    }
}
