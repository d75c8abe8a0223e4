//! Copies the text of a button with `data-copy`, and shows the outcome in the element after it.

use crate::dom::{around, on, window};
use leptos::{ev, prelude::set_timeout};
use std::time::Duration;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Document, Element, MouseEvent};

const SHOWN: Duration = Duration::from_secs(4);

pub(crate) fn listen(document: &Document) {
    on(document, ev::click, |event: MouseEvent| {
        if let Some(button) = around(&event, "[data-copy]")
            && let Some(text) = button.get_attribute("data-copy")
        {
            copy(text, button.next_element_sibling());
        }
    });
}

fn copy(text: String, outcome: Option<Element>) {
    let show = move |words| {
        if let Some(outcome) = &outcome {
            outcome.set_text_content(Some(words));
        }
    };
    // Browsers offer no clipboard to pages loaded over plain HTTP from another machine.
    if !window().is_secure_context() {
        return show("Select the text and copy it: browsers allow this button over HTTPS only.");
    }
    let clipboard = window().navigator().clipboard();
    spawn_local(async move {
        let written = JsFuture::from(clipboard.write_text(&text)).await;
        show(match written {
            Ok(_) => "Copied.",
            Err(_) => "Not allowed. Select the text and copy it.",
        });
        set_timeout(move || show(""), SHOWN);
    });
}
