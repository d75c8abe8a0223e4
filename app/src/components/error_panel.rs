//! What stands where data should be.

use crate::{AppError, links};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use leptos_meta::Title;

/// An error in words, with a way on. It is also the status of the answer.
#[component]
pub(crate) fn ErrorPanel(
    /// What went wrong.
    error: AppError,
) -> impl IntoView {
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(error.status());
    }
    let (heading, retry) = match error {
        AppError::NotFound(_) => ("Not found", None),
        // An empty address is the one of the page itself.
        AppError::Unavailable => (
            "Not available",
            Some(view! { <a href="" class="btn">"Try again"</a>" " }),
        ),
    };
    view! {
        <Title text=heading/>
        <section class="card message" role="alert">
            <h1>{heading}</h1>
            <p>{error.to_string()}</p>
            <p>{retry}<a href=links::HOME class="btn">"Go to the overview"</a></p>
        </section>
    }
}
