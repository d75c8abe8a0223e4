//! Keys that work on every page.

use crate::dom::{document, on, target};
use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlInputElement, KeyboardEvent};

/// On the root element while content that appears on hover or focus is hidden.
const WITHOUT_TIPS: &str = "data-without-tips";

/// `/` focuses the search field. Escape leaves it, and hides content that appeared on hover or focus (WCAG 2.2, 1.4.13).
pub(crate) fn listen(document: &Document) {
    on(document, ev::pointerover, |_| show_tips(true));
    on(document, ev::focusin, |_| show_tips(true));
    on(document, ev::keydown, |event: KeyboardEvent| {
        let target = target::<Element>(&event);
        let is_writing = target.as_ref().is_some_and(|element| {
            element
                .matches("input, textarea, select, [contenteditable]")
                .unwrap_or(false)
        });
        let is_plain = !(event.meta_key() || event.ctrl_key() || event.alt_key());
        if event.key() == "Escape" {
            show_tips(false);
        }
        match event.key().as_str() {
            "/" if is_plain && !is_writing => {
                if let Some(search) = search() {
                    event.prevent_default();
                    // If the field cannot be focused, the key has no effect.
                    let _ = search.focus();
                    search.select();
                }
            }
            "Escape" if is_writing => {
                if let (Some(search), Some(target)) = (search(), target)
                    && search.is_same_node(Some(&target))
                    && search.value().is_empty()
                {
                    let _ = search.blur();
                }
            }
            _ => {}
        }
    });
}

fn show_tips(are_shown: bool) {
    if let Some(root) = document().document_element() {
        // This attribute name is valid.
        let _ = root.toggle_attribute_with_force(WITHOUT_TIPS, !are_shown);
    }
}

fn search() -> Option<HtmlInputElement> {
    document().get_element_by_id("search")?.dyn_into().ok()
}
