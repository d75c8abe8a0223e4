//! Keys that work on every page.

use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlInputElement, KeyboardEvent};

/// `/` goes to the search field, and Escape leaves it.
pub(super) fn listen(document: &Document) {
    super::on(document, ev::keydown, |event: KeyboardEvent| {
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok());
        let is_writing = target.as_ref().is_some_and(|element| {
            element
                .matches("input, textarea, select, [contenteditable]")
                .unwrap_or(false)
        });
        let is_plain = !(event.meta_key() || event.ctrl_key() || event.alt_key());
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

fn search() -> Option<HtmlInputElement> {
    super::document()
        .get_element_by_id("search")?
        .dyn_into()
        .ok()
}
