//! The title and the description of a page: the only place that writes names from clients into a document's head.

use crate::escaped::escaped;
use leptos::{prelude::*, tachys::reactive_graph::OwnedView};
use leptos_meta::{Meta, Title};

/// The full title of a page.
pub(crate) fn page_title(of: &str) -> String {
    format!("{of} · Coverage")
}

/// The title and description in the head. Both props are plain text; this component escapes them where needed.
#[component]
pub(crate) fn PageHead(
    /// The content of the page, in a few words.
    #[prop(into)]
    title: String,
    /// The same as a sentence, for link previews.
    #[prop(into)]
    description: String,
) -> impl IntoView {
    // `Meta` looks for the document's head only when it is rendered. A page that waited for its data is rendered under
    // another owner than it was created with, so `OwnedView` keeps the owner.
    OwnedView::new(view! {
        // leptos_meta does not escape titles. leptos escapes attributes.
        <Title text=escaped(&page_title(&title))/>
        <Meta name="description" content=description/>
    })
}
