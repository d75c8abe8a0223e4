//! Sorts the rows of a table without a request, and filters them while the reader types: rows that contain every word stay.
//! `app::tables` describes the markup.

mod sort;

use crate::dom::{all, on, target};
use js_sys::JsString;
use leptos::ev;
use web_sys::{Document, Element, Event, HtmlInputElement};

pub(crate) use sort::prepare;

pub(crate) fn listen(document: &Document) {
    sort::listen(document);
    let page = document.clone();
    on(document, ev::input, move |event: Event| {
        if let Some(field) = target::<HtmlInputElement>(&event)
            && let Some(name) = field.get_attribute("data-filter")
            && let Some(body) = page.body()
            // The server wrote the name; it needs no escape.
            && let Some(table) = all(&body, &format!("table[data-sortable=\"{name}\"]")).next()
        {
            let (shown, rows) = filter(&table, &String::from(lower(field.value())));
            let counted = if shown == rows {
                String::new()
            } else {
                format!("{shown} of {rows} rows")
            };
            if let Some(status) = field.previous_element_sibling() {
                status.set_text_content(Some(&counted));
            }
        }
    });
}

/// Hides the rows of a table that do not contain every word of `text`. Returns how many are shown, and how many there are.
fn filter(table: &Element, text: &str) -> (usize, usize) {
    let (mut shown, mut count) = (0, 0);
    for body in all(table, "tbody") {
        let (shown_before, count_before) = (shown, count);
        for row in all(&body, "tr[data-keys]") {
            let content = lower(row.text_content().unwrap_or_default());
            // The browser's search: Rust's would add a kilobyte to what every page loads.
            let is_shown = text.split(' ').all(|word| content.includes(word, 0));
            count += 1;
            shown += usize::from(is_shown);
            // This attribute name is valid.
            let _ = row.toggle_attribute_with_force("hidden", !is_shown);
        }
        // Hides a body whose rows are all hidden, with its heading.
        let is_empty = shown == shown_before && count > count_before;
        let _ = body.toggle_attribute_with_force("hidden", is_empty);
    }
    (shown, count)
}

/// The browser knows the capitals of every script.
fn lower(text: String) -> JsString {
    JsString::from(text).to_lower_case()
}
