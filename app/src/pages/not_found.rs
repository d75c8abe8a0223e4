//! The page for unknown addresses.

use crate::{AppError, ReadModel, components::error_panel::ErrorPanel};
use leptos::prelude::*;

#[component]
pub(crate) fn NotFound() -> impl IntoView {
    let error = AppError::NotFound("There is no page at this address.".to_owned());
    view! { <ErrorPanel error/> }
}

/// Returns the error for an unknown repository, with similar names if the query for them succeeds.
pub(crate) async fn no_repository(name: &str, model: &dyn ReadModel) -> AppError {
    AppError::NoRepository {
        name: name.to_owned(),
        similar: model.repositories_like(name).await.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
