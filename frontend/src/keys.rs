//! The switch of the shortcuts that are a single key. People who dictate press such keys without meaning to
//! (<https://www.w3.org/TR/WCAG22/#character-key-shortcuts>).

use crate::dom::{all, document, on, target};
use app::browser::storage;
use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, Event, HtmlInputElement};

/// The key in the browser's storage. It has a value while the shortcuts are off.
const STORED: &str = "coverage-single-keys";

const SWITCH: &str = "input[data-single-keys]";

/// Marks the document while the shortcuts are off: the style sheet hides the keys.
const OFF: &str = "data-keys-off";

const ANNOUNCED: &str = "aria-keyshortcuts";

/// Holds the announced shortcuts of an element while some of them are off.
const HELD: &str = "data-keyshortcuts";

pub(crate) fn listen(document: &Document) {
    let stored = storage().and_then(|storage| storage.get_item(STORED).ok()?);
    if stored.is_some() {
        choose(false);
    }
    let switch = document.query_selector(SWITCH).ok().flatten();
    if let Some(switch) = switch.as_ref().and_then(as_switch) {
        // Some browsers restore the state of the page before.
        switch.set_checked(stored.is_none());
    }
    on(document, ev::change, |event: Event| {
        let Some(switch) = target::<Element>(&event).as_ref().and_then(as_switch) else {
            return;
        };
        let are_on = switch.checked();
        choose(are_on);
        // Without storage, the choice holds until the page is loaded again.
        if let Some(storage) = storage() {
            let _ = match are_on {
                true => storage.remove_item(STORED),
                false => storage.set_item(STORED, "off"),
            };
        }
    });
}

/// Whether a single key is a shortcut.
pub(crate) fn are_on() -> bool {
    let root = document().document_element();
    root.is_none_or(|root| !root.has_attribute(OFF))
}

/// Announces no shortcut of a new part of the page that is off.
pub(crate) fn prepare(part: &Element) {
    if are_on() {
        return;
    }
    for element in all(part, &["[", ANNOUNCED, "]"].concat()) {
        let keys = element.get_attribute(ANNOUNCED).unwrap_or_default();
        // These attribute names are valid.
        let _ = element.set_attribute(HELD, &keys);
        let _ = match keys.split(' ').find(|keys| keys.len() > 1) {
            Some(kept) => element.set_attribute(ANNOUNCED, kept),
            None => element.remove_attribute(ANNOUNCED),
        };
    }
}

fn choose(are_on: bool) {
    let Some(root) = document().document_element() else {
        return;
    };
    // These attribute names are valid.
    if !are_on {
        let _ = root.set_attribute(OFF, "");
        return prepare(&root);
    }
    let _ = root.remove_attribute(OFF);
    for element in all(&root, &["[", HELD, "]"].concat()) {
        let keys = element.get_attribute(HELD).unwrap_or_default();
        let _ = element.set_attribute(ANNOUNCED, &keys);
        let _ = element.remove_attribute(HELD);
    }
}

fn as_switch(element: &Element) -> Option<HtmlInputElement> {
    let is_switch = element.matches(SWITCH).unwrap_or(false);
    element.clone().dyn_into().ok().filter(|_| is_switch)
}
