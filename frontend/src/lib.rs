//! What runs in the browser: hydrates the islands of a page, follows links and sends forms without a reload, and makes keys
//! and charts react.
//!
//! Nothing here knows a single page. Listeners are on the document and read what the server wrote into the markup, so they
//! work on every page, and on pages added later.
//!
//! Imports go one way. A file imports only files of the rows above its own; `scripts/check-architecture.sh` checks this:
//!
//! 1. `dom`, `timer`, `hydration`: the browser's functions
//! 2. `address`, `notice`, `tip`, `keys`
//! 3. `navigation`: reports page changes as a `PageEvent`, without importing the code that reacts
//! 4. `links`, `forms`, `refresh`, `chart`
//! 5. `typing`: uses `forms`
//! 6. this file: starts everything and passes page events on

mod address;
mod chart;
mod dom;
mod forms;
mod hydration;
mod keys;
mod links;
mod navigation;
mod notice;
mod refresh;
mod timer;
mod tip;
mod typing;

// Only JavaScript calls the islands: without this import they are not linked.
use app as _;
use navigation::PageEvent;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Element;

/// Called once, when the WASM is loaded. `hydrate_islands` hydrates the islands within the element it is given.
///
/// The attribute set at the end tells tests that the page reacts.
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
    navigation::start(&window, react);
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

/// Tells the other files what navigation does with the page.
fn react(event: PageEvent<'_>) {
    match event {
        PageEvent::Requested(arrival) => {
            refresh::stop();
            typing::page_requested(arrival);
        }
        PageEvent::Shown(main) => prepare(main),
        PageEvent::Unchanged => refresh::again(),
    }
}
