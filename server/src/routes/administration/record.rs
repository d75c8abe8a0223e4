//! `POST /admin/records/delete`: deletes a record.

use super::{Answering, Sent};
use crate::{
    http::error::ApiError,
    routes::{record_id::no_record, records::delete_record},
    state::AppState,
};
use app::links;
use axum::{
    extract::{Request, State},
    response::{Redirect, Response},
};

/// Leads to the repository of the record, or to the overview if it was the only record.
pub(in crate::routes) async fn delete(State(state): State<AppState>, request: Request) -> Response {
    let answering = Answering::of(&request);
    let deleted = delete_of_form(&state, request).await;
    answering.answer(&state, deleted, links::HOME)
}

async fn delete_of_form(state: &AppState, request: Request) -> Result<Redirect, ApiError> {
    let Sent {
        admin,
        form,
        reader,
    } = Sent::read(state, request).await?;
    let id = form.text("record").unwrap_or_default();
    let number: i64 = id.parse().map_err(|_| no_record(id))?;
    if !reader.shows_record(number).await? {
        return Err(no_record(number));
    }
    // A separate task, so that the reports are removed even if the browser disconnects.
    let (tasks, state) = (state.uploads.clone(), state.clone());
    let task = tasks.spawn(async move { delete_record(&state, number, &admin).await });
    let deleted = task.await??.ok_or_else(|| no_record(number))?;
    Ok(Redirect::to(&match deleted.left {
        0 => links::HOME.to_owned(),
        _ => links::repository(&deleted.what.repository),
    }))
}
