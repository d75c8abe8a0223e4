//! Uploads of the clients of other services. An adapter reads what its client sends as the parameters and coverage files of an upload,
//! and answers in the client's shape. All else is the native upload: tokens, shares, quotas, ledger, results.

mod client;
mod codecov;
mod receive;
mod statement;

use crate::state::AppState;
use axum::{Router, http::Method};
use config::access::ForeignService;

/// Returns the routes of the services whose clients the operator accepts.
pub(super) fn router(state: &AppState) -> Router<AppState> {
    match state.accept.has(ForeignService::Codecov) {
        true => codecov::router(),
        false => Router::new(),
    }
}

/// Whether a request checks an upload token itself, so that it needs no reader.
pub(super) fn is_open(state: &AppState, method: &Method, path: &str) -> bool {
    state.accept.has(ForeignService::Codecov) && codecov::is_open(method, path)
}

/// Whether an address is the badge of another service.
pub(super) fn is_badge(state: &AppState, path: &str) -> bool {
    state.accept.has(ForeignService::Codecov) && codecov::is_badge(path)
}
