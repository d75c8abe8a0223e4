//! Small forms of the dashboard's own pages.

use super::parameters::Parameters;
use crate::{
    error::{ApiError, Code},
    state::AppState,
};
use axum::{
    body::{Body, to_bytes},
    http::HeaderMap,
};
use std::{str, time::Duration};
use tokio::time::timeout;

/// Each is a token or a choice, and a path.
const FORM_BYTES: usize = 16 << 10;

/// What was sent, where it came whole and in time.
pub(super) async fn form_of(state: &AppState, body: Body) -> Result<Parameters, ApiError> {
    let patience = state.limits.request_head_seconds;
    let read = timeout(Duration::from_secs(patience), to_bytes(body, FORM_BYTES)).await;
    let read = read.map_err(|_| {
        ApiError::new(
            Code::UploadTooSlow,
            format!(
                "The form did not come within {patience} seconds (REQUEST_HEAD_SECONDS); send it again."
            ),
        )
    })?;
    let malformed = || {
        ApiError::new(
            Code::MalformedRequest,
            format!("Send the fields as a form does, in at most {FORM_BYTES} bytes."),
        )
    };
    let bytes = read.map_err(|_| malformed())?;
    Parameters::of(Some(str::from_utf8(&bytes).map_err(|_| malformed())?))
}

/// Refuses a form that was sent by a page of another site, as every browser of today says (Fetch Metadata).
pub(super) fn must_be_ours(headers: &HeaderMap) -> Result<(), ApiError> {
    match headers.get("sec-fetch-site") {
        Some(site) if site == "cross-site" => Err(ApiError::new(
            Code::FormOfAnotherSite,
            "This form was sent by a page of another site; use the dashboard's own.",
        )),
        _ => Ok(()),
    }
}
