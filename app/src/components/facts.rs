//! Large figures at the top of a page.

use leptos::prelude::*;

/// One figure of a `dl.facts`: its label, the figure, and a note.
#[component]
pub(crate) fn Fact(
    label: &'static str,
    /// A note; may be empty.
    #[prop(into)]
    note: String,
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
