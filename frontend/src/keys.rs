//! The switch of the shortcuts that are a single key. People who dictate press such keys without meaning to
//! (<https://www.w3.org/TR/WCAG22/#character-key-shortcuts>).

use crate::dom::{around, document, on};
use app::browser::storage;
use leptos::ev;
use std::cell::Cell;
use web_sys::{Document, Event};

/// The key in the browser's storage, and its value while the shortcuts are off.
const STORED: &str = "coverage-single-keys";
const OFF: &str = "off";

pub(crate) const SWITCH: &str = "[data-single-keys]";

thread_local! {
    static ARE_ON: Cell<bool> = const { Cell::new(true) };
}

pub(crate) fn listen(document: &Document) {
    let stored = storage().and_then(|storage| storage.get_item(STORED).ok()?);
    if stored.as_deref() == Some(OFF) {
        turn();
        if let Ok(Some(switch)) = document.query_selector(SWITCH) {
            // Nobody has used the switch yet, so the attribute is its state.
            let _ = switch.remove_attribute("checked");
        }
    }
    on(document, ev::change, |event: Event| {
        if around(&event, SWITCH).is_some() {
            let state = turn();
            // Without storage, the choice holds until the page is loaded again.
            if let Some(storage) = storage() {
                let _ = storage.set_item(STORED, state);
            }
        }
    });
}

/// Whether a single key is a shortcut.
pub(crate) fn are_on() -> bool {
    ARE_ON.get()
}

/// Turns the shortcuts on if they are off, and off if they are on. Returns the new state.
fn turn() -> &'static str {
    let are_on = !ARE_ON.replace(!ARE_ON.get());
    let state = if are_on { "on" } else { OFF };
    if let Some(root) = document().document_element() {
        // For the style sheet, which hides the keys. The attribute name is valid.
        let _ = root.set_attribute("data-shortcuts", state);
    }
    state
}
