//! The `id` of a record in an address.

use crate::http::error::ApiError;
use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use std::{collections::HashMap, fmt::Display};
use utoipa::IntoParams;

/// A text that is no number is answered like the id of a missing record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoParams)]
#[into_params(names("id"), parameter_in = Path)]
pub(super) struct RecordId(
    /// The `id` of a record.
    #[param(minimum = 1, example = 17)]
    pub(super) i64,
);

impl<S: Send + Sync> FromRequestParts<S> for RecordId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = Path::<HashMap<String, String>>::from_request_parts(parts, state).await;
        let id = path.ok().and_then(|Path(mut path)| path.remove("id"));
        let id = id.unwrap_or_default();
        match id.parse() {
            Ok(number) => Ok(Self(number)),
            Err(_) => Err(no_record(id)),
        }
    }
}

impl RecordId {
    pub(super) fn missing(self) -> ApiError {
        no_record(self.0)
    }
}

pub(super) fn no_record(id: impl Display) -> ApiError {
    ApiError::not_found(format!("There is no record {id}."))
}
