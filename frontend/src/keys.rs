//! The switch of the shortcuts that are a single key. People who dictate press such keys without meaning to
//! (<https://www.w3.org/TR/WCAG22/#character-key-shortcuts>).

use crate::dom::{all, document, first, on, target};
use app::browser::storage;
use leptos::ev;
use web_sys::{Document, Element, Event, HtmlInputElement};

/// The key in the browser's storage. It has a value while the shortcuts are off.
const STORED: &str = "coverage-single-keys";

const SWITCH: &str = "data-single-keys";

/// Marks the document while the shortcuts are off: the style sheet hides the keys.
const OFF: &str = "data-keys-off";

/// The shortcuts of an element that are announced, and those that would be announced if the switch were turned.
const ANNOUNCED: &str = "aria-keyshortcuts";
const OTHERS: &str = "data-keyshortcuts";

pub(crate) fn listen(document: &Document) {
    let stored = storage().and_then(|storage| storage.get_item(STORED).ok()?);
    if let (Some(_), Some(root)) = (stored, document.document_element()) {
        turn(&root);
        if let Some(switch) = first::<HtmlInputElement>(&root, "[data-single-keys]") {
            switch.set_checked(false);
        }
    }
    on(document, ev::change, |event: Event| {
        let switch = target::<Element>(&event).filter(|control| control.has_attribute(SWITCH));
        if let (Some(_), Some(root)) = (switch, document_root()) {
            turn(&root);
            // Without storage, the choice holds until the page is loaded again.
            if let Some(storage) = storage() {
                let _ = match are_on() {
                    true => storage.remove_item(STORED),
                    false => storage.set_item(STORED, "off"),
                };
            }
        }
    });
}

/// Whether a single key is a shortcut.
pub(crate) fn are_on() -> bool {
    document_root().is_none_or(|root| !root.has_attribute(OFF))
}

/// Announces the shortcuts of a new part of the page that work.
pub(crate) fn prepare(part: &Element) {
    if !are_on() {
        exchange(part);
    }
}

fn document_root() -> Option<Element> {
    document().document_element()
}

/// Turns the shortcuts on if they are off, and off if they are on.
fn turn(root: &Element) {
    // The attribute name is valid.
    let _ = root.toggle_attribute(OFF);
    exchange(root);
}

fn exchange(part: &Element) {
    for element in all(part, "[aria-keyshortcuts], [data-keyshortcuts]") {
        let (announced, others) = (
            element.get_attribute(ANNOUNCED),
            element.get_attribute(OTHERS),
        );
        for (name, keys) in [(ANNOUNCED, others), (OTHERS, announced)] {
            // These attribute names are valid.
            let _ = match keys {
                Some(keys) => element.set_attribute(name, &keys),
                None => element.remove_attribute(name),
            };
        }
    }
}
