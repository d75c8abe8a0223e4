//! Numbers first: what a page is about, as a few large figures.

use leptos::prelude::*;

/// One figure of a `dl.facts`: its name, the figure, and what it is of.
#[component]
pub(crate) fn Fact(
    /// What the figure is.
    label: &'static str,
    /// What else there is to say of it; may be empty.
    #[prop(into)]
    note: String,
    /// The figure.
    children: Children,
) -> impl IntoView {
    let note = (!note.is_empty()).then(|| view! { <dd class="small muted">{note}</dd> });
    view! {
        <div>
            <dt>{label}</dt>
            <dd class="fact">{children()}</dd>
            {note}
        </div>
    }
}
