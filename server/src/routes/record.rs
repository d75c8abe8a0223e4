//! `GET /records/{id}`: where the `Location` of an upload leads, until records have a page of their own.

use crate::{error::ApiError, store::Store};
use app::links;
use axum::{
    extract::{Path, State, rejection::PathRejection},
    response::Redirect,
};

pub(super) async fn record(
    State(store): State<Store>,
    id: Result<Path<i64>, PathRejection>,
) -> Result<Redirect, ApiError> {
    let missing = || ApiError::not_found("There is no such record.");
    let Path(id) = id.map_err(|_| missing())?;
    let names = store.names_of_record(id).await?.ok_or_else(missing)?;
    let address = links::branch(&names.repository, &names.branch);
    Ok(Redirect::temporary(&address))
}
