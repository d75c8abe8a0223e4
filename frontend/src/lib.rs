//! The browser's entry point: hydrates the page that the server rendered.

use wasm_bindgen::prelude::wasm_bindgen;

/// Called once the WASM is loaded. The attribute tells tests, and styles, that the page reacts now.
#[wasm_bindgen]
pub fn hydrate() {
    #[cfg(debug_assertions)]
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_body(app::App);
    if let Some(root) = leptos::prelude::document().document_element() {
        // Failing to mark the page leaves it as usable as before.
        let _ = root.set_attribute("data-hydrated", "true");
    }
}
