//! Opens and closes the palette, and starts the suggestions of a field when the reader uses it.

use crate::{
    dom::{document, first, is_composing, is_plain_click, on, target},
    keys,
};
use leptos::ev;
use std::cell::Cell;
use wasm_bindgen::JsCast;
use web_sys::{
    Document, Element, Event, HtmlDialogElement, HtmlInputElement, KeyboardEvent, MouseEvent,
};

/// The field in the bar of every page, which opens the palette.
const OPENER: &str = "#search";

const SUGGESTS: &str = "input[data-suggest]";

/// The form that ends the session of the reader.
const LOG_OUT: &str = "form[action='/logout']";

thread_local! {
    /// Whether the pointer was pressed outside of the content of the palette.
    static PRESSED_AROUND: Cell<bool> = const { Cell::new(false) };
}

/// `/` and `Ctrl+K` open the palette, and so does the field in the bar.
pub(crate) fn listen(document: &Document) {
    if let Ok(Some(opener)) = document.query_selector(OPENER) {
        // This attribute name is valid.
        let _ = opener.set_attribute("aria-haspopup", "dialog");
    }
    on(document, ev::pointerover, |event| {
        if is_at(&event, OPENER) || is_at(&event, SUGGESTS) {
            app::islands::preload();
        }
    });
    on(document, ev::focusin, |event| {
        if is_at(&event, OPENER) {
            app::islands::preload();
        }
        if is_at(&event, SUGGESTS)
            && let Some(field) = target(&event)
        {
            app::islands::suggest(field);
        }
    });
    on(document, ev::keydown, |event: KeyboardEvent| {
        pressed(&event)
    });
    on(document, ev::pointerdown, |event| {
        PRESSED_AROUND.set(is_around(&event));
    });
    on(document, ev::click, |event: MouseEvent| clicked(&event));
    on(document, ev::input, |event| typed(&event));
    on(document, ev::compositionend, |event| typed(&event));
    on(document, ev::submit, |event| {
        if is_at(&event, LOG_OUT) {
            app::islands::forget();
        }
    });
    // The reader may have focused a field before this code started.
    let focused = document.active_element();
    let focused = focused.filter(|focused| focused.matches(SUGGESTS).unwrap_or(false));
    if let Some(field) = focused.and_then(|focused| focused.dyn_into().ok()) {
        app::islands::suggest(field);
    }
}

/// Closes the palette: the reader goes to another page.
pub(crate) fn close() {
    if let Some(palette) = palette().filter(HtmlDialogElement::open) {
        palette.close();
    }
}

fn pressed(event: &KeyboardEvent) {
    let with_control = event.ctrl_key() || event.meta_key();
    let is_plain = !(with_control || event.alt_key() || event.is_composing());
    let opens = match event.key().as_str() {
        "/" => is_plain && keys::are_on() && (!is_writing(event) || is_at(event, OPENER)),
        "k" | "K" => with_control && !event.alt_key() && !event.shift_key(),
        "Enter" | "ArrowDown" => is_plain && is_at(event, OPENER),
        _ => false,
    };
    if opens {
        event.prevent_default();
        open();
    }
}

fn clicked(event: &MouseEvent) {
    if !is_plain_click(event) {
        return;
    }
    if is_at(event, OPENER) {
        open();
    }
    // A reader who selects text may release the pointer outside of the content. The click that follows must not close the palette.
    if (PRESSED_AROUND.get() && is_around(event)) || is_at(event, "#palette [data-close]") {
        close();
    }
}

/// Opens the palette with the text of the field in the bar.
fn open() {
    let Some(palette) = palette() else { return };
    let field = first::<HtmlInputElement>(&palette, SUGGESTS);
    let Some(field) = field else { return };
    if palette.open() {
        field.select();
    } else {
        field.set_value("");
        let body = document().body();
        if let Some(opener) = body.and_then(|body| first::<HtmlInputElement>(&body, OPENER)) {
            field.set_value(&opener.value());
            opener.set_value("");
        }
        // A closed dialog can be opened. The browser focuses its first field.
        let _ = palette.show_modal();
    }
}

/// Text that is typed into the opener continues in the palette, unless an input method still composes it.
fn typed(event: &Event) {
    if !is_composing(event) && is_at(event, OPENER) {
        open();
    }
}

/// Whether an event is outside of the content of the palette. Its target is then the dialog itself.
fn is_around(event: &Event) -> bool {
    target::<HtmlDialogElement>(event).is_some_and(|around| Some(around) == palette())
}

fn palette() -> Option<HtmlDialogElement> {
    document().get_element_by_id("palette")?.dyn_into().ok()
}

/// Whether the event belongs to an element in which the reader writes or chooses.
pub(crate) fn is_writing(event: &Event) -> bool {
    is_at(event, "input, textarea, select, [contenteditable]")
}

fn is_at(event: &Event, selector: &str) -> bool {
    let element = target::<Element>(event);
    element.is_some_and(|element| element.matches(selector).unwrap_or(false))
}
