//! Any address that is no page.

use crate::{AppError, ReadModel, components::error_panel::ErrorPanel};
use leptos::prelude::*;

/// Says so, with a way on.
#[component]
pub(crate) fn NotFound() -> impl IntoView {
    let error = AppError::NotFound("There is no page at this address.".to_owned());
    view! { <ErrorPanel error/> }
}

/// There is no repository `name`; says which ones may have been meant, as far as that can be found out.
pub(crate) async fn no_repository(name: &str, model: &dyn ReadModel) -> AppError {
    AppError::NoRepository {
        name: name.to_owned(),
        alike: model.repositories_like(name).await.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
