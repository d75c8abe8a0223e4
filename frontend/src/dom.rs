//! Helpers for browser APIs: the document, elements, events.

pub(crate) use app::browser::{all, is_plain_click, open_in_tab};
pub(crate) use leptos::prelude::{document, window};

use leptos::ev::EventDescriptor;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Element, Event, EventTarget, HtmlElement, HtmlInputElement, InputEvent};

/// The main landmark, whose content differs from page to page.
pub(crate) fn main() -> Option<HtmlElement> {
    document().get_element_by_id("main")?.dyn_into().ok()
}

/// The first element within `part` that matches `selector`.
pub(crate) fn first<T: JsCast>(part: &Element, selector: &str) -> Option<T> {
    all(part, selector).next()?.dyn_into().ok()
}

/// Calls `handler` for each `event` at `target`, until the document is unloaded.
pub(crate) fn on<E>(target: &EventTarget, event: E, mut handler: impl FnMut(E::EventType) + 'static)
where
    E: EventDescriptor,
    E::EventType: JsCast,
{
    // The browser calls this handler for this event only, so its type is known.
    let handler = move |event: Event| handler(event.unchecked_into());
    listen(target, &event.name(), Box::new(handler));
}

/// One closure type for all events: each type would add code to the WASM of every page.
fn listen(target: &EventTarget, event: &str, handler: Box<dyn FnMut(Event)>) {
    let handler = Closure::wrap(handler).into_js_value();
    // Does not fail for an event with a name.
    let _ = target.add_event_listener_with_callback(event, handler.unchecked_ref());
}

pub(crate) fn target<T: JsCast>(event: &Event) -> Option<T> {
    event.target()?.dyn_into().ok()
}

/// The element around the target of an event that matches `selector`.
pub(crate) fn around(event: &Event, selector: &str) -> Option<Element> {
    target::<Element>(event)?.closest(selector).ok()?
}

/// Whether an input method is still composing the text of this event.
pub(crate) fn is_composing(event: &Event) -> bool {
    let event = event.dyn_ref::<InputEvent>();
    event.is_some_and(InputEvent::is_composing)
}

/// Whether text is typed into a field.
pub(crate) fn is_text_field(field: &HtmlInputElement) -> bool {
    ["search", "text"].contains(&field.type_().as_str())
}
