//! A change of coverage: a mark, the number, and a word for screen readers.

use domain::Change as Points;
use leptos::prelude::*;

/// A change in percentage points; a dash if there is nothing to compare with.
#[component]
pub(crate) fn Change(change: Option<Points>) -> impl IntoView {
    let Some(change) = change else {
        return view! { <span class="muted" title="nothing to compare with">"–"</span> }.into_any();
    };
    let (class, mark, word) = change.direction();
    view! {
        <span class=format!("delta {class}")>
            <span aria-hidden="true">{mark}</span>
            <span class="unseen">{word}</span>
            " "
            {change.to_string()}
        </span>
    }
    .into_any()
}
