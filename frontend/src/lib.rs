//! The browser's entry point: brings to life what the server rendered.

use wasm_bindgen::prelude::wasm_bindgen;

/// Called once the WASM is loaded, with the function that hydrates the islands within an element.
#[wasm_bindgen]
pub fn hydrate(hydrate_islands: js_sys::Function) {
    #[cfg(debug_assertions)]
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
    app::start(hydrate_islands);
}
