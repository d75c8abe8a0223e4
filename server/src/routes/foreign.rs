//! Uploads of the clients of other services. An adapter reads what its client sends as the parameters and coverage files of an upload,
//! and answers in the client's shape. All else is the native upload: tokens, shares, quotas, ledger, results.

mod client;
mod codecov;
mod coveralls;
mod receive;
mod statement;

use crate::state::AppState;
use axum::{
    Router,
    http::{Method, Uri},
};
use config::access::{AcceptedClients, ForeignService};

/// Returns the routes of the services whose clients the operator accepts.
pub(super) fn router(state: &AppState) -> Router<AppState> {
    let mut router = Router::new();
    if state.accept.has(ForeignService::Codecov) {
        router = router.merge(codecov::router(state));
    }
    if state.accept.has(ForeignService::Coveralls) {
        router = router.merge(coveralls::router());
    }
    router
}

/// Whether a request checks an upload token itself, so that it needs no reader.
pub(super) fn is_open(state: &AppState, method: &Method, path: &str) -> bool {
    let accept = &state.accept;
    (accept.has(ForeignService::Codecov) && codecov::is_open(method, path))
        || (accept.has(ForeignService::Coveralls) && coveralls::is_open(method, path))
}

/// Whether an address is the badge of another service.
pub(super) fn is_badge(state: &AppState, path: &str) -> bool {
    state.accept.has(ForeignService::Codecov) && codecov::is_badge(path)
}

/// Returns the address here of another service's badge whose address is below the address of a page.
pub(super) fn badge_address(accept: &AcceptedClients, uri: &Uri) -> Option<Uri> {
    match accept.has(ForeignService::Coveralls) {
        true => coveralls::badge_address(uri),
        false => None,
    }
}
