//! Helpers for browser APIs: the document, elements, events.

use leptos::ev::EventDescriptor;
use wasm_bindgen::{JsCast, closure::Closure, convert::FromWasmAbi};
use web_sys::{
    Document, Element, Event, EventTarget, HtmlElement, HtmlInputElement, MouseEvent, NodeList,
    Window,
};

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

/// The elements within `part` that match `selector`, in their order.
pub(crate) fn all(part: &Element, selector: &str) -> impl Iterator<Item = Element> + use<> {
    let found = part.query_selector_all(selector).ok();
    let count = found.as_ref().map_or(0, NodeList::length);
    (0..count).filter_map(move |index| found.as_ref()?.item(index)?.dyn_into().ok())
}

/// Calls `handler` for each `event` at `target`, until the document is unloaded.
pub(crate) fn on<E>(target: &EventTarget, event: E, handler: impl FnMut(E::EventType) + 'static)
where
    E: EventDescriptor,
    E::EventType: FromWasmAbi + 'static,
{
    let handler = Closure::<dyn FnMut(E::EventType)>::new(handler).into_js_value();
    // Does not fail for an event with a name.
    let _ = target.add_event_listener_with_callback(&event.name(), handler.unchecked_ref());
}

pub(crate) fn target<T: JsCast>(event: &Event) -> Option<T> {
    event.target()?.dyn_into().ok()
}

/// The element around the target of an event that matches `selector`.
pub(crate) fn around(event: &Event, selector: &str) -> Option<Element> {
    target::<Element>(event)?.closest(selector).ok()?
}

pub(crate) fn open_in_tab(address: &str) {
    // If the browser opens no tab, the page stays as it is.
    let _ = window().open_with_url_and_target_and_features(address, "_blank", "noopener");
}

/// Whether this is a plain left click. The browser handles clicks with other buttons or with keys.
pub(crate) fn is_plain_click(event: &MouseEvent) -> bool {
    event.button() == 0
        && !(event.meta_key() || event.ctrl_key() || event.shift_key() || event.alt_key())
}

/// Whether text is typed into a field.
pub(crate) fn is_text_field(field: &HtmlInputElement) -> bool {
    ["search", "text"].contains(&field.type_().as_str())
}
