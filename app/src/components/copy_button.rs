//! A button that copies a text.

use leptos::prelude::*;

/// Copies `text` and shows whether that worked; `copy.rs` of the crate `frontend` reads the attribute. Hidden without
/// scripts: the text is next to the button and can be selected.
#[component]
pub(crate) fn CopyButton(
    text: String,
    /// Names the text for people who cannot see it next to the button: `Copy {label}`.
    label: String,
) -> impl IntoView {
    let name = format!("Copy {label}");
    view! {
        <span class="copy">
            <button class="btn scripted" type="button" aria-label=name data-copy=text>"Copy"</button>
            <span class="small muted" role="status"></span>
        </span>
    }
}
