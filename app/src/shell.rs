//! The HTML document around every page.

use crate::{Theme, components::layout::Layout, islands::Chunks, pages};
use leptos::{nonce::use_nonce, prelude::*, reactive::owner::Owner};
use leptos_meta::{MetaTags, provide_meta_context};
use leptos_router::components::Router;
use std::sync::Arc;

/// The dashboard: the layout around every page.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Router>
            <Layout>{pages::routes()}</Layout>
        </Router>
    }
}

/// The addresses of the files that every page loads; they contain hashes of the content.
#[derive(Clone, Debug)]
pub struct Assets {
    /// The style sheet.
    pub style: Arc<str>,
    /// The JavaScript module that starts the WASM.
    pub script: Arc<str>,
    /// The WASM itself.
    pub wasm: Arc<str>,
    /// The JavaScript module that loads the code of islands, if any.
    pub loader: Option<Arc<str>>,
    /// The code of islands, which is loaded only on pages that have them.
    pub chunks: Chunks,
}

impl Assets {
    /// Identifies the build of the dashboard: pages and scripts of different builds may not work together.
    fn build(&self) -> String {
        let hash = |address: &str| address.rsplit('.').nth(1).unwrap_or_default().to_owned();
        let loader = self.loader.as_deref().map(hash).unwrap_or_default();
        format!("{}.{}.{loader}", hash(&self.wasm), hash(&self.style))
    }
}

/// Returns the whole HTML document with the requested page.
pub fn shell() -> impl IntoView {
    // Only islands are hydrated: the page does not need the markers that leptos uses to find its parts.
    if let Some(shared) = Owner::current_shared_context() {
        shared.set_is_hydrating(false);
    }
    let assets: Assets = expect_context();
    provide_context(assets.chunks.clone());
    let (build, style) = (assets.build(), assets.style.to_string());
    let theme = use_context::<Theme>().unwrap_or_default();
    view! {
        <!DOCTYPE html>
        <html lang="en" data-theme=theme.name() data-build=build>
            <head>
                <Head theme style/>
                // The first paint waits for the whole bar. A bar that grows would move its own parts.
                <link rel="expect" href="#announcement" blocking="render"/>
                <Scripts assets/>
                <MetaTags/>
            </head>
            <body>
                <App/>
            </body>
        </html>
    }
}

/// The common head elements of every document, including the login page.
#[component]
pub(crate) fn Head(theme: Theme, style: String) -> impl IntoView {
    view! {
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content=theme.color_scheme()/>
        <link rel="stylesheet" href=style/>
        <link rel="icon" type="image/svg+xml" href="/favicon.svg"/>
    }
}

/// Loads the code of the islands of a page early, but after the first paint: before it, the code would delay the text.
/// If the islands have started by then, they load it themselves: a preload would not be used.
const PRELOAD: &str = "let started; requestAnimationFrame(() => setTimeout(() => { \
    if (!started) for (const island of document.querySelectorAll('[data-code]')) \
    for (const href of island.dataset.code.split(' ')) \
    document.head.append(Object.assign(document.createElement('link'), \
    { rel: 'preload', href, as: 'fetch', type: 'application/wasm', crossOrigin: 'anonymous' })) \
    }))";

#[component]
fn Scripts(assets: Assets) -> impl IntoView {
    let Assets {
        script,
        wasm,
        loader,
        ..
    } = assets;
    let start = format!(
        "{PRELOAD}; import({script:?}).then(m => m.default({{ module_or_path: {wasm:?} }}).then(() => {{ started = true; m.hydrate() }}))"
    );
    let loader = loader.map(
        |loader| view! { <link rel="modulepreload" href=loader.to_string() nonce=use_nonce()/> },
    );
    view! {
        <link rel="modulepreload" href=script.to_string() nonce=use_nonce()/>
        {loader}
        <link rel="preload" href=wasm.to_string() r#as="fetch" r#type="application/wasm" crossorigin="anonymous"/>
        // Runs before the first paint: shows what needs scripts, and hides its fallbacks.
        <script nonce=use_nonce()>"document.documentElement.dataset.scripts=''"</script>
        <script type="module" nonce=use_nonce() inner_html=start></script>
    }
}
