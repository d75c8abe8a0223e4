//! A button that copies a text.

#[cfg(feature = "hydrate")]
mod clipboard;

use leptos::prelude::*;

/// Copies `text` and shows whether that worked. Hidden without scripts: the text is next to the button and can be selected.
#[island]
pub(crate) fn CopyButton(
    /// The text to copy.
    text: String,
    /// Names the text for people who cannot see it next to the button: `Copy {label}`.
    label: String,
) -> impl IntoView {
    let (outcome, set_outcome) = signal("");
    let name = format!("Copy {label}");
    let copy = move |_| {
        #[cfg(feature = "hydrate")]
        clipboard::copy(text.clone(), set_outcome);
        #[cfg(not(feature = "hydrate"))]
        let _ = (&text, set_outcome);
    };
    view! {
        <span class="copy">
            <button class="btn scripted" type="button" aria-label=name on:click=copy>"Copy"</button>
            <span class="small muted" role="status">{outcome}</span>
        </span>
    }
}
