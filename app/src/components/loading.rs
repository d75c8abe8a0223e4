//! What stands where data will be.

use leptos::prelude::*;

/// Grey lines in place of a table.
#[component]
pub(crate) fn Loading() -> impl IntoView {
    view! {
        <div class="card loading" role="status">
            <span class="unseen">"Loading"</span>
            <i></i><i></i><i></i>
        </div>
    }
}
