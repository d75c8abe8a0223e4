//! A page that keeps itself up to date.

use leptos::prelude::*;

/// Makes the browser fetch the page again every `seconds` while it is visible: `refresh.rs` of the crate `frontend` reads
/// the attribute. Without scripts a link reloads the page.
#[component]
pub(crate) fn Refresh(seconds: u32) -> impl IntoView {
    view! {
        <div class="muted small refresh" data-refresh=seconds>
            <span class="scripted">"This page updates itself."</span><a class="unscripted" href="">"Reload this page"</a>
        </div>
    }
}
