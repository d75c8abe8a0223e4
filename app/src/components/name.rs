//! A name from a client, of any length and text direction.

use leptos::prelude::*;

/// The name, isolated from the direction of the text around it. It is cut if space is short; the tooltip shows all of it.
#[component]
pub(crate) fn Name(
    /// The name.
    text: String,
    /// CSS classes of the element.
    #[prop(optional)]
    class: &'static str,
) -> impl IntoView {
    let title = text.clone();
    view! { <bdi class=class title=title>{text}</bdi> }
}
