//! The page for unknown addresses.

use crate::{AppError, ReadModel, address::Address, components::error_panel::ErrorPanel};
use leptos::prelude::*;

#[component]
pub(crate) fn NotFound() -> impl IntoView {
    let address = Address::current();
    let error = AppError::NotFound(format!("There is no page at {}.", address.path()));
    view! { <ErrorPanel error/> }
}

/// Returns the error for an unknown repository, with similar names if the query for them succeeds.
pub(crate) async fn no_repository(name: &str, model: &dyn ReadModel) -> AppError {
    let like = async |name: &str| model.repositories_like(name).await.unwrap_or_default();
    let mut similar = like(name).await;
    // Perhaps the last part is a page that a repository does not have.
    let parent = name.rsplit_once('/').map(|(parent, _)| parent);
    if let Some(parent) = parent.filter(|parent| similar.is_empty() && parent.contains('/')) {
        similar = like(parent).await;
    }
    AppError::NoRepository {
        name: name.to_owned(),
        similar,
    }
}

#[cfg(test)]
mod tests;
