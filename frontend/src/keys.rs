//! Keys that work on every page.

use crate::dom::{document, on};
use leptos::ev;
use web_sys::{Document, KeyboardEvent};

/// The attribute of the root element while content that appears on hover or focus is hidden.
const WITHOUT_TIPS: &str = "data-without-tips";

/// Escape hides content that appeared on hover or focus (WCAG 2.2, 1.4.13).
pub(crate) fn listen(document: &Document) {
    on(document, ev::pointerover, |_| show_tips(true));
    on(document, ev::focusin, |_| show_tips(true));
    on(document, ev::keydown, |event: KeyboardEvent| {
        if event.key() == "Escape" {
            show_tips(false);
        }
    });
}

fn show_tips(are_shown: bool) {
    if let Some(root) = document().document_element() {
        // This attribute name is valid.
        let _ = root.toggle_attribute_with_force(WITHOUT_TIPS, !are_shown);
    }
}
