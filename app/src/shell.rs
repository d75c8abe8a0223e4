//! The document around every page.

use crate::App;
use leptos::{nonce::use_nonce, prelude::*};
use leptos_meta::MetaTags;
use std::sync::Arc;

/// The addresses of the files that every page loads; they carry hashes of their content.
#[derive(Clone, Debug)]
pub struct Assets {
    /// The style sheet.
    pub style: Arc<str>,
    /// The JavaScript module that starts the WASM.
    pub script: Arc<str>,
    /// The WASM itself.
    pub wasm: Arc<str>,
}

/// Whether the page is for a browser that was logged in, and can be logged out.
#[derive(Clone, Copy, Debug, Default)]
pub struct HasSession(pub bool);

/// A whole HTML document with the page that was asked for.
pub fn shell() -> impl IntoView {
    let Assets {
        style,
        script,
        wasm,
    } = expect_context();
    let HasSession(has_session) = use_context().unwrap_or_default();
    let hydrate = format!(
        "import({script:?}).then(m => m.default({{ module_or_path: {wasm:?} }}).then(() => m.hydrate()))"
    );
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <meta name="color-scheme" content="light dark"/>
                <link rel="stylesheet" href=style.to_string()/>
                <link rel="icon" type="image/svg+xml" href="/favicon.svg"/>
                <link rel="modulepreload" href=script.to_string() nonce=use_nonce()/>
                <link rel="preload" href=wasm.to_string() r#as="fetch" r#type="application/wasm" crossorigin="anonymous"/>
                <script type="module" nonce=use_nonce() inner_html=hydrate></script>
                <MetaTags/>
            </head>
            <body>
                <App/>
                // Beside what the browser takes over, which knows nothing of sessions.
                {has_session.then(LogOut)}
            </body>
        </html>
    }
}

#[component]
fn LogOut() -> impl IntoView {
    view! {
        <footer class="account">
            <form method="post" action="/logout">
                <button class="btn" type="submit">"Log out"</button>
            </form>
        </footer>
    }
}
