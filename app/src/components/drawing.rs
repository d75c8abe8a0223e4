//! A chart's drawing in two sizes, of which the screen shows one: a single element for Tab and for assistive technology.

use leptos::prelude::*;

/// The drawings, and how the keyboard reads them. They are pictures; `map.rs` of the crate `frontend` makes them react.
#[component]
pub(crate) fn Drawings(
    /// For wide screens.
    wide: String,
    /// For phones.
    narrow: String,
    /// The text alternative.
    label: String,
    /// The id of the sentence that describes the keys.
    keys: &'static str,
    /// Whether its points have links.
    can_open: bool,
) -> impl IntoView {
    let enter = if can_open { "; Enter opens one" } else { "" };
    view! {
        <div class="drawing wide-drawing" role="img" aria-label=label.clone() data-help=keys inner_html=wide></div>
        <div class="drawing narrow-drawing" role="img" aria-label=label data-help=keys inner_html=narrow></div>
        <p class="unseen scripted" id=keys>
            {format!("Arrow keys, Page Up, Page Down, Home and End move from one to the next{enter}.")}
        </p>
    }
}
