//! What runs in the browser: hydrates the islands of a page, follows links and sends forms without a reload, and makes keys
//! and charts react.
//!
//! Nothing here knows a single page. Listeners are on the document and read what the server wrote into the markup, so they
//! work on every page, and on pages added later.

mod chart;
mod dom;
mod forms;
mod hydration;
mod keys;
mod links;
mod navigation;
mod notice;
mod refresh;
mod typing;

// Only JavaScript calls the islands: without this import they are not linked.
use app as _;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Element;

/// Called once, when the WASM is loaded. `hydrate_islands` hydrates the islands within the element it is given.
///
/// The attribute set at the end tells tests and styles that the page reacts.
#[wasm_bindgen]
pub fn hydrate(hydrate_islands: js_sys::Function) {
    #[cfg(debug_assertions)]
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
    let (window, document) = (dom::window(), dom::document());
    hydration::keep(hydrate_islands);
    if let Some(body) = document.body() {
        prepare(&body);
    }
    chart::listen(&document);
    links::follow(&document);
    forms::send(&document);
    typing::send(&document);
    keys::listen(&document);
    navigation::listen(&window);
    if let Some(root) = document.document_element() {
        // Without the attribute the page works all the same.
        let _ = root.set_attribute("data-hydrated", "true");
    }
}

/// Makes a new part of the page react.
fn prepare(part: &Element) {
    hydration::hydrate(part);
    chart::prepare(part);
    refresh::prepare(part);
}
