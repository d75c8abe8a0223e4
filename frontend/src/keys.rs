//! Keys that work on every page.

use crate::dom::{document, on};
use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlInputElement, KeyboardEvent};

/// On the root while what appears beside what is pointed at has been put away.
const WITHOUT_TIPS: &str = "data-without-tips";

/// `/` goes to the search field; Escape leaves it, and puts away what has appeared on hover or on focus (WCAG 2.2, 1.4.13).
pub(crate) fn listen(document: &Document) {
    on(document, ev::pointerover, |_| show_tips(true));
    on(document, ev::focusin, |_| show_tips(true));
    on(document, ev::keydown, |event: KeyboardEvent| {
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok());
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
                    // A field that cannot be focused leaves the key without effect.
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
        // Marking an element of the page does not fail.
        let _ = root.toggle_attribute_with_force(WITHOUT_TIPS, !are_shown);
    }
}

fn search() -> Option<HtmlInputElement> {
    document().get_element_by_id("search")?.dyn_into().ok()
}
