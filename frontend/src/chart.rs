//! Makes charts react: shows the point next to the pointer, or the one that the keyboard reads.
//!
//! The server draws a chart's points as elements `.mark` within `.chart .drawing`. `data-tip` is the text of a point,
//! `data-href` the page that it opens, `data-series` the number of its line. Tab and assistive technology see a drawing as
//! one element; the point that the arrow keys select is announced.

mod drawing;
mod pointer;
mod press;
mod walk;

use crate::{
    dom::{all, on},
    notice,
    tip::{self, DRAWINGS, IS_POINTED},
};
use drawing::drawing_at;
use leptos::ev;
use web_sys::{Document, Element, FocusEvent, KeyboardEvent, PointerEvent};

pub(crate) fn listen(document: &Document) {
    press::listen(document);
    on(document, ev::pointermove, |event: PointerEvent| {
        pointer::point_at(&event)
    });
    on(document, ev::focusin, |event: FocusEvent| {
        if let Some(drawing) = drawing_at(&event)
            && !(IS_POINTED.get() && tip::shown_in(&drawing).is_some())
        {
            read(walk::current(&drawing));
        }
    });
    on(document, ev::focusout, |event: FocusEvent| {
        // A point that the pointer shows stays: pressing a button of the pointer moves the focus too.
        if drawing_at(&event).is_some() && !IS_POINTED.get() {
            tip::hide();
        }
    });
    on(document, ev::keydown, |event: KeyboardEvent| {
        if event.key() == "Escape" {
            return tip::hide();
        }
        let drawing = drawing_at(&event).filter(|_| is_plain_key(&event));
        let Some(drawing) = drawing else { return };
        if event.key() == "Enter" {
            if let Some(mark) = tip::shown_in(&drawing) {
                press::open(&mark);
            }
        } else if let Some(next) = walk::by_key(&drawing, &event.key()) {
            event.prevent_default();
            read(Some(next));
        }
    });
}

/// Makes each drawing focusable, and tells assistive technology that it handles keys itself. Without scripts a drawing is a
/// picture, and the table next to it has the links.
pub(crate) fn prepare(part: &Element) {
    for drawing in all(part, DRAWINGS) {
        // These attribute names are valid.
        let _ = drawing.set_attribute("tabindex", "0");
        let _ = drawing.set_attribute("role", "application");
        let _ = drawing.set_attribute("aria-roledescription", "chart");
        if let Some(keys) = drawing.get_attribute("data-keys") {
            let _ = drawing.set_attribute("aria-describedby", &keys);
        }
    }
}

/// Shows and announces the point that the keyboard reads.
fn read(mark: Option<Element>) {
    let Some(mark) = mark else { return };
    IS_POINTED.set(false);
    tip::show(&mark);
    if let Some(text) = mark.get_attribute("data-tip") {
        notice::announce(&text.replace('\n', ", "));
    }
}

/// Whether a key is pressed alone. The browser handles combinations, such as Alt and an arrow for Back.
fn is_plain_key(event: &KeyboardEvent) -> bool {
    !(event.meta_key() || event.ctrl_key() || event.shift_key() || event.alt_key())
}
