//! The answer to a request for a file: first the conditions, then the range.

use super::{conditions::Plan, file_request::FileRequest, representation::Representation};
use crate::{
    http::error::{ApiError, Code},
    routes::navigation::VARY,
};
use access::Pass;
use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use headers::{ContentLength, ContentRange, HeaderMapExt};
use objects::ReportsError;

/// Browsers may cache an address with a version, but shared caches may not: reports contain private source code.
pub(super) const FOREVER: HeaderValue =
    HeaderValue::from_static("private, max-age=31536000, immutable");

/// Browsers may cache a signed address until it expires.
pub(super) fn until(pass: Pass) -> HeaderValue {
    const YEAR: u64 = 31_536_000;
    let seconds = pass.seconds_left().min(YEAR);
    HeaderValue::try_from(format!("private, max-age={seconds}, immutable")).unwrap_or(ASK_AGAIN)
}

/// A retry replaces the report at a record's address, so caches must revalidate.
pub(super) const ASK_AGAIN: HeaderValue = HeaderValue::from_static("private, no-cache");

/// How many headers an answer gets besides the headers of its file.
const MORE_HEADERS: usize = 8;

impl Plan {
    /// Returns the answer itself. Blocks, unless the file is in memory.
    pub(super) fn answer(
        self,
        file: &Representation,
        request: &FileRequest,
        cache: HeaderValue,
    ) -> Result<Response, ReportsError> {
        let mut headers = file.headers.clone();
        // Enough for all headers of the answer, so that the map grows only once.
        headers.reserve(MORE_HEADERS);
        headers.insert(header::CACHE_CONTROL, cache);
        let body = |first, length| {
            if request.is_head {
                Ok(Body::empty())
            } else {
                file.body(first, length)
            }
        };
        let (status, body) = match self {
            Self::Whole => {
                headers.typed_insert(ContentLength(file.length));
                (StatusCode::OK, body(0, file.length)?)
            }
            Self::Part(first, last) => {
                let length = last - first + 1;
                headers.typed_insert(ContentLength(length));
                if let Ok(range) = ContentRange::bytes(first..=last, file.length) {
                    headers.typed_insert(range);
                }
                (StatusCode::PARTIAL_CONTENT, body(first, length)?)
            }
            Self::NotModified => {
                headers.remove(header::CONTENT_TYPE);
                headers.remove(header::CONTENT_ENCODING);
                (StatusCode::NOT_MODIFIED, Body::empty())
            }
            Self::Failed => {
                let problem = ApiError::new(
                    Code::PreconditionFailed,
                    "The file does not match If-Match or If-Unmodified-Since of the request; request it without them.",
                );
                return Ok(problem.into_response());
            }
            Self::Unsatisfiable => {
                let detail = format!(
                    "The file has {} bytes, and the requested range is outside of them; request a range within the file.",
                    file.length
                );
                let mut response = ApiError::new(Code::RangeNotSatisfiable, detail).into_response();
                response
                    .headers_mut()
                    .typed_insert(ContentRange::unsatisfied_bytes(file.length));
                return Ok(response);
            }
        };
        let mut response = Response::new(body);
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        Ok(response)
    }
}

pub(super) fn redirect(address: &str) -> Response {
    let mut response = axum::response::Redirect::temporary(address).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, ASK_AGAIN);
    headers.insert(header::VARY, VARY);
    response
}
