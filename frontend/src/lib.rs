//! What runs in the browser: starts the islands of a page, follows links and sends forms without a reload, and makes keys,
//! tables and maps react.
//!
//! No code here depends on a single page. Listeners are on the document and read what the server wrote into the markup, so they
//! work on every page, and on pages added later.
//!
//! Imports go one way. A file imports only files of the rows above its own; `scripts/check-architecture.sh` checks this:
//!
//! 1. `dom`: the browser's functions
//! 2. `address`, `keys`, `notice`, `tip`
//! 3. `navigation`: reports page changes as a `PageEvent`, without importing the code that reacts
//! 4. `links`, `forms`, `refresh`, `map`, `table`, `palette`, `copy`, `theme`
//! 5. `typing`, `island_host`, `code`: use the modules above
//! 6. this file: starts everything and passes page events on

mod address;

mod code;
mod copy;
mod dom;
mod forms;
mod island_host;
mod keys;
mod links;
mod map;
mod navigation;
mod notice;
mod palette;
mod refresh;
mod table;
mod theme;
mod tip;
mod typing;

use navigation::{Arrival, PageEvent};
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Element;

/// Room in the data of the WASM, which costs nothing. The build copies constants that several islands share into the file of
/// each. If the copies do not fit, it puts the constants of all islands into the file that every page loads.
#[used]
static ROOM: [u8; 16_384] = [1; 16_384];

/// Called once, when the WASM is loaded.
///
/// Tests wait for the attribute that is set at the end.
#[wasm_bindgen]
pub fn hydrate() {
    #[cfg(debug_assertions)]
    console_error_panic_hook::set_once();
    let (window, document) = (dom::window(), dom::document());
    island_host::set();
    if let Some(body) = document.body() {
        prepare(&body);
    }
    map::listen(&document);
    table::listen(&document);
    links::follow(&document);
    copy::listen(&document);
    theme::listen(&document);
    keys::listen(&document);
    forms::send(&document);
    typing::send(&document);
    tip::listen(&document);
    palette::listen(&document);
    navigation::start(&window, react);
    if let Some(root) = document.document_element() {
        // The page works without the attribute too.
        let _ = root.set_attribute("data-hydrated", "true");
    }
}

/// Starts islands and event handlers in a new part of the page.
fn prepare(part: &Element) {
    app::islands::start(part);
    map::prepare(part);
    table::prepare(part);
    code::prepare(part);
    refresh::prepare(part);
    remember(part);
}

/// Remembers that the reader visited the page, unless it shows an error.
fn remember(part: &Element) {
    let has_error = dom::all(part, "main > [role=alert]").next().is_some();
    if !has_error && let Ok(path) = dom::window().location().pathname() {
        app::islands::visited(&path);
    }
}

/// Passes page events on to the other files.
fn react(event: PageEvent<'_>) {
    match event {
        PageEvent::Requested(arrival) => {
            refresh::stop();
            // These arrivals change the page behind the palette.
            if !matches!(arrival, Arrival::Renewed | Arrival::Typed) {
                palette::close();
            }
            app::islands::stop_opening();
            map::stop_opening();
            typing::page_requested(arrival);
        }
        PageEvent::Shown(part) => {
            prepare(part);
            // The new part may be a card of the page.
            refresh::again();
        }
        PageEvent::Unchanged => refresh::again(),
    }
}
