//! Short ways to what the browser offers: the document, its main landmark, its events.

use leptos::ev::EventDescriptor;
use wasm_bindgen::{JsCast, closure::Closure, convert::FromWasmAbi};
use web_sys::{Document, EventTarget, HtmlElement, Window};

pub(crate) fn window() -> Window {
    leptos::prelude::window()
}

pub(crate) fn document() -> Document {
    leptos::prelude::document()
}

/// The main landmark, whose content differs from page to page.
pub(crate) fn main() -> Option<HtmlElement> {
    document().get_element_by_id("main")?.dyn_into().ok()
}

/// Calls `handler` for each `event` at `target`, until the document is unloaded.
pub(crate) fn on<E>(target: &EventTarget, event: E, handler: impl FnMut(E::EventType) + 'static)
where
    E: EventDescriptor,
    E::EventType: FromWasmAbi + 'static,
{
    let handler = Closure::<dyn FnMut(E::EventType)>::new(handler).into_js_value();
    // Fails for no event that has a name.
    let _ = target.add_event_listener_with_callback(&event.name(), handler.unchecked_ref());
}
