//! `GET /metrics`: metrics for Prometheus.

use super::{
    openapi::refusals::{NotForStrangers, Unexpected},
    readable::WholeService,
};
use crate::{
    http::error::ApiError, operations::metrics::CONTENT_TYPE, pages::compressed, state::AppState,
};
use axum::{
    Router,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
    routing::get,
};

/// Returns its route. Large answers compress to a tenth, and Prometheus accepts compression.
pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/metrics", get(metrics))
        .layer(compressed())
}

/// Metrics of the service
///
/// For Prometheus. If metrics have their own address (`METRICS_ADDR`), they are there and not here.
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "service",
    responses(
        (
            status = 200,
            description = "Metrics in OpenMetrics format.",
            body = String,
            content_type = "application/openmetrics-text"
        ),
        NotForStrangers,
        Unexpected
    )
)]
pub(super) async fn metrics(
    _: WholeService,
    State(state): State<AppState>,
) -> Result<Response, ApiError> {
    let text = state.metrics.text().await;
    let text = text.map_err(|error| ApiError::unavailable(&error))?;
    let headers = [
        (header::CONTENT_TYPE, CONTENT_TYPE),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, text).into_response())
}
