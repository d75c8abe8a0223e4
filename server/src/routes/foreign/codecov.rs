//! Uploads of Codecov's clients: in one call (`upload-coverage`), in three calls, and by the legacy interface. A call states the
//! parameters and shows the token; its answer names an address for the body, which comes next.

mod address;
mod answer;
mod badge;
mod body_address;
mod calls;
mod finished;
mod json;
mod legacy;
mod payload;
mod read;
mod stated;
mod window;

use super::receive::Sender;
use crate::{
    http::error::ApiError,
    routes::{
        peer::peer,
        upload::{Attempt, Incoming, handled},
    },
    state::AppState,
};
use address::Call;
use axum::{
    Router,
    extract::{Request, State},
    http::Method,
    response::Response,
    routing::{any, get},
};

/// The starts of the addresses of calls. Clients join an address that ends with a slash and a path.
const CALLS: [&str; 4] = ["/upload/", "//upload/", "/api/v1/", "//api/v1/"];

/// The routes.
pub(super) fn router(state: &AppState) -> Router<AppState> {
    Router::new()
        .merge(read::router(state))
        .route("/upload/{*rest}", any(serve))
        .route("//upload/{*rest}", any(serve))
        .route("/api/v1/{*rest}", any(serve))
        .route("//api/v1/{*rest}", any(serve))
        .route("/gh/{*rest}", get(badge::svg))
        .route("/gl/{*rest}", get(badge::svg))
        .route("/bb/{*rest}", get(badge::svg))
}

pub(super) fn is_open(method: &Method, path: &str) -> bool {
    // The router decodes only what follows the start.
    let is_call = CALLS.iter().any(|start| path.starts_with(start));
    [Method::POST, Method::PUT].contains(method) && is_call && Call::of(path).is_some()
}

pub(super) fn is_badge(path: &str) -> bool {
    ["/gh/", "/gl/", "/bb/"]
        .iter()
        .any(|start| path.starts_with(start))
}

async fn serve(State(state): State<AppState>, request: Request) -> Response {
    let Some(call) = Call::of(request.uri().path()) else {
        return answer::refused(answer::unknown(), false);
    };
    if !call.has_method(request.method()) {
        return answer::refused(answer::other_method(), false);
    }
    let is_text = matches!(call, Call::Legacy | Call::LegacyBody);
    let answered = handled(state, request, |state, request, incoming, attempt| {
        Box::pin(answered(state, request, incoming, attempt))
    });
    let answered = answered.await;
    answered.unwrap_or_else(|refusal| answer::refused(refusal, is_text))
}

async fn answered(
    state: &AppState,
    request: Request,
    incoming: &Incoming,
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    let peer = peer(&request);
    let (parts, body) = request.into_parts();
    let call = Call::of(parts.uri.path()).ok_or_else(answer::unknown)?;
    let from = Sender {
        headers: &parts.headers,
        peer,
    };
    match call {
        Call::Body(ticket) => {
            return body_address::receive(state, &ticket, (body, incoming), attempt).await;
        }
        Call::LegacyBody => {
            let query = parts.uri.query();
            return legacy::receive(state, query, from, (body, incoming), attempt).await;
        }
        _ => {}
    }
    // The body that follows has the row in the ledger.
    attempt.calls();
    match call {
        Call::Legacy => legacy::state(state, parts.uri.query(), from, attempt).await,
        Call::Upload(of) => calls::upload(state, of, from, incoming, attempt).await,
        Call::Commits(of) => calls::commit(state, of, from, incoming, attempt).await,
        Call::Reports => calls::report(incoming).await,
        Call::Uploads(of, sha) => calls::upload_of(state, (of, sha), from, incoming, attempt).await,
        Call::Complete(of, sha) => finished::complete(state, (of, sha), from, attempt).await,
        Call::Empty(of, sha) => finished::empty(state, (of, sha), from, attempt).await,
        Call::TestResults => calls::test_results(state, from, incoming, attempt).await,
        Call::Base(of, number) => calls::base(state, (of, number), from, incoming, attempt).await,
        Call::Results => Ok(answer::deprecated()),
        Call::Other | Call::Body(_) | Call::LegacyBody => Err(answer::unsupported()),
    }
}
