//! Checks a request: its origin, and its body, which is a message of JSON-RPC and is read within limits.

use crate::{
    http::error::{ApiError, Code},
    state::Service,
};
use axum::{
    body::{Body, Bytes, to_bytes},
    extract::Request,
    http::{HeaderMap, HeaderValue, header},
};
use config::Origin;
use domain::text::shown;
use http_body_util::LengthLimitError;
use rmcp::model::{ClientJsonRpcMessage, RequestId};
use std::{error::Error, time::Duration};
use tokio::time::timeout;

/// The most bytes. A request of an agent has a few hundred.
const MAX_BYTES: usize = 64 << 10;

/// The most bytes of the id of a message.
const MAX_ID: usize = 128;

/// The time in which the body must arrive.
const TIME: Duration = Duration::from_secs(30);

/// Accepts requests only from programs and from the service's own pages: without an `Origin`, or with the service's. Otherwise a
/// page of another site, whose name resolves to this service, could read it through the reader's network (DNS rebinding).
pub(super) fn check_origin(state: &Service, request: &Request) -> Result<(), ApiError> {
    let mut origins = request.headers().get_all(header::ORIGIN).iter();
    if origins.all(|origin| is_own(state, request, origin)) {
        return Ok(());
    }
    Err(ApiError::new(
        Code::OriginNotAllowed,
        "Pages of other sites may not send requests here; send this one from a program, without the header Origin.",
    ))
}

fn is_own(state: &Service, request: &Request, origin: &HeaderValue) -> bool {
    let Some(origin) = origin.to_str().ok().and_then(|text| text.parse().ok()) else {
        return false;
    };
    let public = state.public_url.0.parse().ok();
    if public.as_ref().and_then(Origin::of).as_ref() == Some(&origin) {
        return true;
    }
    // The host of a request alone proves nothing: with DNS rebinding it is the host of the other site.
    state.allowed_hosts.contains(origin.host())
        && origin.is_host_of(request.uri(), request.headers())
}

/// Reads the body; the refusal is 400, 408, 413 or 415.
pub(super) async fn read_body(headers: &HeaderMap, body: Body) -> Result<Bytes, ApiError> {
    if !is_json(headers) {
        return Err(ApiError::unsupported(
            "Send the message as application/json.",
        ));
    }
    let body = match timeout(TIME, to_bytes(body, MAX_BYTES)).await {
        Ok(Ok(body)) => body,
        Ok(Err(error)) => return Err(unread(&*error.into_inner())),
        Err(_) => {
            return Err(ApiError::new(
                Code::UploadTooSlow,
                format!(
                    "The message did not arrive within {} seconds; send it again.",
                    TIME.as_secs()
                ),
            ));
        }
    };
    match serde_json::from_slice::<ClientJsonRpcMessage>(&body) {
        Ok(ClientJsonRpcMessage::Request(request)) if !is_plain(&request.id) => {
            Err(ApiError::malformed(format!(
                "The id of the message must be a number, or a text of at most {MAX_ID} bytes without control characters."
            )))
        }
        Ok(_) => Ok(body),
        Err(_) => Err(ApiError::malformed(
            "The body is not one message of JSON-RPC 2.0; send an object with jsonrpc, id, method and params.",
        )),
    }
}

/// Whether an id is safe in the log, where the library writes it unchanged.
fn is_plain(id: &RequestId) -> bool {
    match id {
        RequestId::Number(_) => true,
        RequestId::String(text) => text.len() <= MAX_ID && shown(text) == **text,
    }
}

/// Whether the content type is JSON. A form of another site cannot send this type.
fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE);
    let value = value.and_then(|value| value.to_str().ok());
    let media_type = value.and_then(|value| value.split(';').next());
    media_type.is_some_and(|text| text.trim().eq_ignore_ascii_case("application/json"))
}

fn unread(error: &(dyn Error + Send + Sync + 'static)) -> ApiError {
    if error.is::<LengthLimitError>() {
        let detail = format!("The message is larger than {MAX_BYTES} bytes; send a smaller one.");
        return ApiError::too_large(detail);
    }
    ApiError::malformed("The request is incomplete; send it again.")
}
