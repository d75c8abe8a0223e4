//! Large figures at the top of a page.

use leptos::prelude::*;

/// A figure, above the words that say what it counts.
pub(crate) fn figure(number: impl IntoView, about: impl IntoView) -> AnyView {
    view! { <div><dt>{about}</dt><dd class="figure">{number}</dd></div> }.into_any()
}

/// A card of figures side by side. `label` is for assistive technology.
pub(crate) fn figures(label: &'static str, figures: impl IntoIterator<Item = AnyView>) -> AnyView {
    let figures: Vec<_> = figures.into_iter().collect();
    view! { <dl class="numbers card" data-testid="numbers" aria-label=label>{figures}</dl> }
        .into_any()
}
