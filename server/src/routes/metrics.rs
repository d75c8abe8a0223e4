//! `GET /metrics`: what the service counts, for Prometheus.

use crate::{
    error::ApiError,
    metrics::{CONTENT_TYPE, Metrics},
    pages::compressed,
    state::AppState,
};
use axum::{
    Router,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
    routing::get,
};

/// Its route. Large answers compress to a tenth, and Prometheus asks for that.
pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/metrics", get(metrics))
        .layer(compressed())
}

async fn metrics(State(metrics): State<Metrics>) -> Result<Response, ApiError> {
    let text = metrics
        .text()
        .await
        .map_err(|error| ApiError::unavailable(&error))?;
    let headers = [
        (header::CONTENT_TYPE, CONTENT_TYPE),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, text).into_response())
}
