//! `GET /coverages-api/health`: whether the service can do its work.

use crate::{error::ApiError, store::Store};
use axum::{Json, extract::State};
use serde_json::{Value, json};

pub(super) async fn health(State(store): State<Store>) -> Result<Json<Value>, ApiError> {
    store.ping().await?;
    Ok(Json(json!({ "success": "the database answers" })))
}
