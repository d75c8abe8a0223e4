//! `GET /metrics`: what the service counts, for Prometheus.

use super::openapi::refusals::{NotForStrangers, Unexpected};
use crate::{
    http::error::ApiError,
    operations::metrics::{CONTENT_TYPE, Metrics},
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

/// What the service counts
///
/// For Prometheus. Where metrics have an address of their own (`METRICS_ADDR`), it is had there and not here.
#[utoipa::path(
    get,
    path = "/metrics",
    operation_id = "metrics",
    tag = "service",
    responses(
        (
            status = 200,
            description = "Metrics in the format of OpenMetrics.",
            body = String,
            content_type = "application/openmetrics-text"
        ),
        NotForStrangers,
        Unexpected
    )
)]
pub(super) async fn metrics(State(metrics): State<Metrics>) -> Result<Response, ApiError> {
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
