//! Any address that is no page.

use crate::{AppError, components::error_panel::ErrorPanel};
use leptos::prelude::*;

/// Says so, with a way on.
#[component]
pub(crate) fn NotFound() -> impl IntoView {
    let error = AppError::NotFound("There is no page at this address.".to_owned());
    view! { <ErrorPanel error/> }
}

#[cfg(test)]
mod tests;
