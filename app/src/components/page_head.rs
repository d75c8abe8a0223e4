//! The title and the description of a page: the only place that writes what clients named into a document's head.

use crate::escaped::escaped;
use leptos::{prelude::*, tachys::reactive_graph::OwnedView};
use leptos_meta::{Meta, Title};

/// The title of a page, as people see it.
pub(crate) fn page_title(of: &str) -> String {
    format!("{of} · Coverage")
}

/// What the head of a page says of it. Both are plain text: this escapes what has to be escaped.
#[component]
pub(crate) fn PageHead(
    /// What the page shows, in a few words.
    #[prop(into)]
    title: String,
    /// The same as a sentence, for previews of links.
    #[prop(into)]
    description: String,
) -> impl IntoView {
    // `Meta` looks for the document's head only while it is written. A page that waited for its data is written elsewhere
    // than it was made, so its owner comes along.
    OwnedView::new(view! {
        // leptos_meta writes a title into the document as it is. Attributes are escaped by leptos.
        <Title text=escaped(&page_title(&title))/>
        <Meta name="description" content=description/>
    })
}
