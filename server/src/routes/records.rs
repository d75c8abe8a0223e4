//! `DELETE /coverages-api/records/{id}`: deletes a record.

use super::{openapi::refusals, peer::peer, record_id::RecordId};
use crate::{http::error::ApiError, state::AppState};
use access::Admin;
use axum::{
    extract::{Request, State},
    http::StatusCode,
};
use domain::{Timestamp, text::chain};
use jobs::deletion;
use store::{Deleted, Deletion};

/// Delete a record
///
/// Its numbers and its HTML report are removed. If it was the current record of its branch and language, the newest
/// remaining one becomes current. The audit log names who deleted it.
#[utoipa::path(
    delete,
    path = "/coverages-api/records/{id}",
    operation_id = "deleteRecord",
    tag = "records",
    params(RecordId),
    responses((status = 204, description = "The record is deleted."), refusals::Administration),
    security(("admin_token" = []))
)]
pub(super) async fn delete(
    State(state): State<AppState>,
    id: Result<RecordId, ApiError>,
    request: Request,
) -> Result<StatusCode, ApiError> {
    let admin = state
        .admins
        .admit(request.headers(), peer(&request))
        .await?;
    let id = id?;
    // A separate task, so that the reports are removed even if the client disconnects.
    let task = state.uploads.clone();
    let task = task.spawn(async move { delete_record(&state, id.0, &admin).await });
    let deleted = task.await??.map(|_| StatusCode::NO_CONTENT);
    deleted.ok_or_else(|| id.missing())
}

/// Deletes a record within the scopes of an admin; `None` if there is none.
pub(super) async fn delete_record(
    state: &AppState,
    id: i64,
    admin: &Admin,
) -> Result<Option<Deleted>, ApiError> {
    let (what, operator) = (Deletion::Record(id), state.store.operator());
    let deleted = operator.delete(&what, &admin.scopes, &admin.actor);
    let Some(deleted) = deleted.await? else {
        return Ok(None);
    };
    let (repository, by) = (&deleted.what.repository, &admin.actor.name);
    tracing::info!(record = id, %repository, by, "a record was deleted");
    remove_reports(state, "record", deleted.at).await;
    Ok(Some(deleted))
}

/// Removes what was released by a deletion, which has happened even if this fails.
pub(super) async fn remove_reports(state: &AppState, of: &str, deleted_at: Timestamp) {
    let removed = deletion::remove_reports(&state.store, &state.reports, deleted_at).await;
    if let Err(error) = removed {
        tracing::warn!(
            cause = chain(&error),
            "the HTML report of a deleted {of} was not removed; a later sweep removes it"
        );
    }
}
