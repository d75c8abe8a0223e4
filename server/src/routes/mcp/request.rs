//! Checks a request: its origin, and its body, which is a message of JSON-RPC and is read within limits.

use crate::{
    http::error::{ApiError, Code},
    routes::form::{is_json, read_within, unread},
    state::Service,
};
use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{HeaderMap, HeaderValue, header},
};
use config::Origin;
use domain::text::shown;
use rmcp::model::{ClientJsonRpcMessage, RequestId};

/// The most bytes. A request of an agent has a few hundred.
const MAX_BYTES: usize = 64 << 10;

/// The most bytes of the id of a message.
const MAX_ID: usize = 128;

/// The seconds in which the body must arrive.
const SECONDS: u64 = 30;

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
    if is_json(headers) != Some(true) {
        return Err(ApiError::unsupported(
            "Send the message as application/json.",
        ));
    }
    let read = read_within(SECONDS, "message", body, MAX_BYTES).await?;
    let too_large = format!("The message is larger than {MAX_BYTES} bytes; send a smaller one.");
    let body = read.map_err(|error| unread(error, too_large))?;
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
