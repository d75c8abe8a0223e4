//! A chart's drawing in two sizes, of which the screen shows one: one thing for Tab and for assistive technology.

use leptos::prelude::*;

/// The drawings, and how the keyboard reads them. They are pictures; the browser makes them react, which
/// `browser/chart.rs` says more about.
#[component]
pub(crate) fn Drawings(
    /// For a desk.
    wide: String,
    /// For a phone.
    narrow: String,
    /// What is to be seen, for those who do not see it.
    label: String,
    /// The id of the sentence about the keys.
    keys: &'static str,
    /// Whether its points lead anywhere.
    can_open: bool,
) -> impl IntoView {
    let enter = if can_open { "; Enter opens one" } else { "" };
    view! {
        <div class="drawing wide-drawing" role="img" aria-label=label.clone() data-keys=keys inner_html=wide></div>
        <div class="drawing narrow-drawing" role="img" aria-label=label data-keys=keys inner_html=narrow></div>
        <p class="unseen scripted" id=keys>
            {format!("Arrow keys, Page Up, Page Down, Home and End move from one to the next{enter}.")}
        </p>
    }
}
