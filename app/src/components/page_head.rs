//! The title and the description of a page: the only place that writes names from clients into a document's head.

use crate::{PublicUrl, escaped::escaped};
use leptos::{prelude::*, tachys::reactive_graph::OwnedView};
use leptos_meta::{Meta, Title};

pub(crate) fn page_title(of: &str) -> String {
    format!("{of} · Coverage")
}

/// The title and description in the head. Both props are plain text; this component escapes them where needed.
#[component]
pub(crate) fn PageHead(
    #[prop(into)] title: String,
    /// The content in a sentence, for link previews.
    #[prop(into)]
    description: String,
    /// The image of a link preview: an address on this service.
    #[prop(optional, into)]
    image: Option<String>,
) -> impl IntoView {
    let image = image.map(preview_image);
    // `Meta` looks for the document's head only when it is rendered. A page that waited for its data is rendered under
    // another owner than it was created with, so `OwnedView` keeps the owner.
    OwnedView::new(view! {
        // leptos_meta does not escape titles. leptos escapes attributes.
        <Title text=escaped(&page_title(&title))/>
        <Meta name="description" content=description.clone()/>
        <Meta property="og:type" content="website"/>
        <Meta property="og:site_name" content="Coverage"/>
        <Meta property="og:title" content=title/>
        <Meta property="og:description" content=description/>
        {image}
    })
}

/// The image of a link preview. Chats need its whole address (<https://ogp.me>).
fn preview_image(address: String) -> impl IntoView {
    let PublicUrl(public_url) = expect_context();
    view! {
        <Meta property="og:image" content=format!("{public_url}{address}")/>
        <Meta property="og:image:width" content="1200"/>
        <Meta property="og:image:height" content="630"/>
        <Meta name="twitter:card" content="summary_large_image"/>
    }
}
