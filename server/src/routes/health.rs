//! How the service is: whether its database answers, whether it lives, whether it should be sent requests.

use crate::{error::ApiError, readiness::Readiness, state::AppState, store::Store};
use axum::{Json, Router, extract::State, http::StatusCode, routing::get};
use serde_json::{Value, json};

pub(super) const HEALTH: &str = "/coverages-api/health";
pub(super) const LIVE: &str = "/coverages-api/live";
pub(super) const READY: &str = "/coverages-api/ready";

/// The routes of all three.
pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route(HEALTH, get(health))
        .route(LIVE, get(live))
        .route(READY, get(ready))
}

async fn health(State(store): State<Store>) -> Result<Json<Value>, ApiError> {
    store.ping().await?;
    Ok(Json(json!({ "success": "the database answers" })))
}

/// Asks nobody: a service whose database is away must not be started again and again.
async fn live() -> Json<Value> {
    Json(json!({ "success": "the service runs" }))
}

async fn ready(State(readiness): State<Readiness>) -> Result<Json<Value>, ApiError> {
    match readiness.check().await {
        Ok(()) => Ok(Json(json!({ "success": "the service takes requests" }))),
        Err(reason) => Err(ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable",
            reason.to_string(),
        )),
    }
}
