//! A name that a client chose: of any length and direction.

use leptos::prelude::*;

/// The name, cut where it has no room and whole on hover, apart from the direction of the text around it.
#[component]
pub(crate) fn Name(
    /// The name.
    text: String,
    /// Classes of its element.
    #[prop(optional)]
    class: &'static str,
) -> impl IntoView {
    let title = text.clone();
    view! { <bdi class=class title=title>{text}</bdi> }
}
