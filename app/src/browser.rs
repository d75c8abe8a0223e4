//! What runs in the browser around the islands: following links and sending forms without a reload, keys, and charts.
//!
//! Nothing here knows a page. Listeners stand on the document and read what the server wrote into the markup, so that they
//! serve every page, also those that come later.

mod chart;
pub(crate) mod copy;
mod forms;
mod keys;
mod links;
mod navigation;
mod notice;
pub(crate) mod refresh;
pub(crate) mod theme;
mod typing;

use js_sys::Function;
use leptos::ev::EventDescriptor;
use wasm_bindgen::{JsCast, JsValue, closure::Closure, convert::FromWasmAbi};
use web_sys::{Document, Element, EventTarget, HtmlElement, Window};

/// Brings the page to life. `hydrate_islands` hydrates those within an element that it is given.
///
/// The attribute that is set at the end tells tests, and styles, that the page reacts now.
pub fn start(hydrate_islands: Function) {
    let (window, document) = (window(), document());
    islands::keep(hydrate_islands);
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
        // Failing to mark the page leaves it as usable as before.
        let _ = root.set_attribute("data-hydrated", "true");
    }
}

/// What has to be done with a part of a page that is new.
fn prepare(part: &Element) {
    islands::hydrate(part);
    chart::prepare(part);
}

/// Islands that came with a page that was fetched have to be hydrated like those of the first.
mod islands {
    use super::*;
    use std::cell::OnceCell;

    thread_local! {
        static HYDRATE: OnceCell<Function> = const { OnceCell::new() };
    }

    pub(super) fn keep(hydrate: Function) {
        HYDRATE.with(|kept| {
            let _ = kept.set(hydrate);
        });
    }

    pub(super) fn hydrate(within: &Element) {
        HYDRATE.with(|hydrate| {
            if let Some(hydrate) = hydrate.get()
                && let Err(error) = hydrate.call1(&JsValue::NULL, within)
            {
                web_sys::console::error_1(&error);
            }
        });
    }
}

/// Listens for as long as the document is there.
fn on<E>(target: &EventTarget, event: E, handler: impl FnMut(E::EventType) + 'static)
where
    E: EventDescriptor,
    E::EventType: FromWasmAbi + 'static,
{
    let handler = Closure::<dyn FnMut(E::EventType)>::new(handler).into_js_value();
    // Only names that are no event's are refused.
    let _ = target.add_event_listener_with_callback(&event.name(), handler.unchecked_ref());
}

fn window() -> Window {
    leptos::prelude::window()
}

fn document() -> Document {
    leptos::prelude::document()
}

/// The main landmark, which is what changes from page to page.
fn main() -> Option<HtmlElement> {
    document().get_element_by_id("main")?.dyn_into().ok()
}
