//! `DELETE /coverages-api/records/{id}/parts/{part}`, and the form of a record's page that does the same.

use super::{
    form::{form_of, must_be_ours},
    openapi::{names, refusals},
    peer::peer,
    record_id::{RecordId, no_record},
    records::remove_reports,
};
use crate::{http::error::ApiError, state::AppState};
use access::{Admin, Reader};
use app::links;
use axum::{
    extract::{Path, Request, State, rejection::PathRejection},
    http::StatusCode,
    response::Redirect,
};
use domain::PartName;

/// Delete a part of a record
///
/// The record becomes the union of its other parts, and no longer expects this one. The HTML report of the part is removed. The
/// audit log names who deleted it. The only part of a record cannot be deleted.
#[utoipa::path(
    delete,
    path = "/coverages-api/records/{id}/parts/{part}",
    operation_id = "deletePart",
    tag = "records",
    params(
        RecordId,
        (
            "part" = names::PartSegment,
            Path,
            description = "The name of the part; `-` is the unnamed one."
        )
    ),
    responses(
        (status = 204, description = "The part is deleted."),
        refusals::Administration,
        refusals::OnlyPart
    ),
    security(("admin_token" = []))
)]
pub(super) async fn delete(
    State(state): State<AppState>,
    path: Result<Path<(String, String)>, PathRejection>,
    request: Request,
) -> Result<StatusCode, ApiError> {
    let admin = state
        .admins
        .admit(request.headers(), peer(&request))
        .await?;
    let (id, part) = path.map_or_else(|_| Default::default(), |Path(path)| path);
    delete_as(&state, &id, &part, admin).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /records/{id}/parts`: the form has an admin token, unless the session is of an administrator.
pub(super) async fn delete_by_form(
    State(state): State<AppState>,
    id: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<Redirect, ApiError> {
    must_be_ours(request.headers(), &state.public_url.0)?;
    let id = id.map_or_else(|_| String::new(), |Path(id)| id);
    let number = id.parse().map_err(|_| no_record(&id))?;
    let refused = delete_of_form(&state, &id, request).await.err();
    let refused = refused.map(|refusal| refusal.code.as_str());
    Ok(Redirect::to(&links::parts(number, refused)))
}

async fn delete_of_form(state: &AppState, id: &str, request: Request) -> Result<(), ApiError> {
    let peer = peer(&request);
    let (parts, body) = request.into_parts();
    let form = form_of(state, body).await?;
    let (admins, headers) = (&state.admins, &parts.headers);
    let admin = match form.text("token") {
        Some(token) => admins.admit_token(token, headers, peer).await?,
        None => {
            let reader = parts.extensions.get::<Reader>();
            admins.admit_form(reader, headers, peer).await?
        }
    };
    delete_as(state, id, form.text("part").unwrap_or_default(), admin).await
}

async fn delete_as(state: &AppState, id: &str, part: &str, admin: Admin) -> Result<(), ApiError> {
    let record_id: i64 = id.parse().map_err(|_| no_record(id))?;
    let missing = || ApiError::not_found(format!("Record {id} has no part {part}."));
    let name = PartName::of_segment(part).map_err(|_| missing())?;
    // A separate task, so that the HTML report is removed even if the client disconnects.
    let (tasks, state) = (state.uploads.clone(), state.clone());
    let task = tasks.spawn(async move { delete_part(&state, record_id, &name, &admin).await });
    task.await??.then_some(()).ok_or_else(missing)
}

async fn delete_part(
    state: &AppState,
    id: i64,
    part: &PartName,
    admin: &Admin,
) -> Result<bool, ApiError> {
    let deleted = state
        .ingest
        .delete_part(id, part, &admin.scopes, &admin.actor);
    let Some(deleted) = deleted.await? else {
        return Ok(false);
    };
    let (repository, by) = (&deleted.repository, &admin.actor.name);
    tracing::info!(record = id, %part, %repository, by, "a part of a record was deleted");
    if let Some(key) = &deleted.report {
        state.reports.close(key);
    }
    remove_reports(state, "part", deleted.at).await;
    state.review.keep_line_history(id);
    Ok(true)
}
