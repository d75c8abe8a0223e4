//! Documents without scripts and without stored data: the login page, and the answers to forms of administrators.

use crate::{
    Assets, Theme,
    components::{layout::Mark, page_head::page_title},
    markers::without_markers,
    shell::Head,
};
use leptos::{prelude::*, reactive::owner::Owner, tachys::view::RenderHtml};

/// Returns the whole document with this title.
pub(crate) fn plain<View: IntoView>(
    assets: &Assets,
    theme: Theme,
    title: &str,
    content: impl FnOnce() -> View,
) -> String {
    let (style, title) = (assets.style.to_string(), page_title(title));
    let html = Owner::new().with(|| {
        let document = view! {
            <!DOCTYPE html>
            <html lang="en" data-theme=theme.name()>
                <head>
                    <Head theme style/>
                    <meta name="robots" content="noindex"/>
                    <title>{title}</title>
                </head>
                <body>
                    <header class="topbar">
                        <div><a class="brand" href="/"><Mark/>"Coverage"</a></div>
                    </header>
                    <main class="page" id="main">{content().into_any()}</main>
                </body>
            </html>
        };
        document.to_html()
    });
    without_markers(&html)
}
