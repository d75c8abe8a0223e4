//! A button that copies a text.

use leptos::prelude::*;

/// Copies `text`, and says so. Without scripts it is not shown: the text stands beside it and can be selected.
#[island]
pub(crate) fn CopyButton(
    /// What is copied.
    text: String,
    /// What it is, for those who do not see what stands beside the button: `Copy {label}`.
    label: String,
) -> impl IntoView {
    let (outcome, set_outcome) = signal("");
    let name = format!("Copy {label}");
    let copy = move |_| {
        #[cfg(feature = "hydrate")]
        crate::browser::copy::copy(text.clone(), set_outcome);
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
