//! Health checks: whether the database answers, whether the service runs, whether it is ready for requests.

use super::openapi::refusals::Unexpected;
use crate::{
    http::error::{ApiError, Code},
    state::AppState,
};
use axum::{Json, Router, extract::State, routing::get};
use serde::Serialize;
use utoipa::ToSchema;

pub(super) const HEALTH: &str = "/coverages-api/health";
pub(super) const LIVE: &str = "/coverages-api/live";
pub(super) const READY: &str = "/coverages-api/ready";

pub(super) const ALL: [&str; 3] = [HEALTH, LIVE, READY];

pub(super) fn is_path(path: &str) -> bool {
    ALL.contains(&path)
}

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route(HEALTH, get(health))
        .route(LIVE, get(live))
        .route(READY, get(ready))
}

/// The state of the service.
#[derive(Serialize, ToSchema)]
pub(super) struct Health {
    /// The state in words.
    #[schema(examples("the database answers"))]
    success: &'static str,
}

/// Whether the database answers
#[utoipa::path(
    get,
    path = "/coverages-api/health",
    tag = "service",
    responses((status = 200, description = "The database answers.", body = Health), Unexpected),
    security(())
)]
pub(super) async fn health(State(state): State<AppState>) -> Result<Json<Health>, ApiError> {
    state.store.ping().await?;
    let success = "the database answers";
    Ok(Json(Health { success }))
}

/// Whether the service runs
///
/// This checks nothing else, so that a missing database does not cause restarts.
#[utoipa::path(
    get,
    path = "/coverages-api/live",
    tag = "service",
    responses((status = 200, description = "The service runs.", body = Health)),
    security(())
)]
pub(super) async fn live() -> Json<Health> {
    let success = "the service runs";
    Json(Health { success })
}

/// Whether the service is ready for requests
///
/// This checks the database and the storage of HTML reports, and fails while the service stops.
#[utoipa::path(
    get,
    path = "/coverages-api/ready",
    tag = "service",
    responses((status = 200, description = "It is ready.", body = Health), Unexpected),
    security(())
)]
pub(super) async fn ready(State(state): State<AppState>) -> Result<Json<Health>, ApiError> {
    let success = "the service takes requests";
    match state.readiness.check().await {
        Ok(()) => Ok(Json(Health { success })),
        Err(reason) => Err(ApiError::new(Code::Unavailable, reason)),
    }
}
