//! What stands where data should be.

use crate::AppError;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::A;

/// An error in words, with a way on.
#[component]
pub(crate) fn ErrorPanel(
    /// What went wrong.
    error: AppError,
) -> impl IntoView {
    let heading = match error {
        AppError::NotFound(_) => "Not found",
        AppError::Unavailable | AppError::Unreachable => "Not available",
    };
    view! {
        <Title text=heading/>
        <section class="card message" role="alert">
            <h1>{heading}</h1>
            <p>{error.to_string()}</p>
            <p><A href="/" attr:class="btn">"Go to the overview"</A></p>
        </section>
    }
}
