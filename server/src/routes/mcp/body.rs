//! The body of a request: a message of JSON-RPC, read within limits.

use crate::http::error::{ApiError, Code};
use axum::{
    body::{Body, Bytes, to_bytes},
    http::{HeaderMap, header},
};
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

/// Reads the body.
///
/// # Errors
///
/// 400, 408, 413 or 415.
pub(super) async fn read(headers: &HeaderMap, body: Body) -> Result<Bytes, ApiError> {
    if !is_json(headers) {
        return Err(ApiError::new(
            Code::UnsupportedMediaType,
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
            Err(malformed(&format!(
                "The id of the message must be a number, or a text of at most {MAX_ID} bytes without control characters."
            )))
        }
        Ok(_) => Ok(body),
        Err(_) => Err(malformed(
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
        return ApiError::new(Code::UploadTooLarge, detail);
    }
    malformed("The request is incomplete; send it again.")
}

fn malformed(detail: &str) -> ApiError {
    ApiError::new(Code::MalformedRequest, detail)
}
