//! Charts to be pointed at and walked through: the point next to the pointer, or the one that the keys have reached, says
//! what it is.
//!
//! The server draws a chart's points as elements `.mark` within `.chart .drawing`: `data-tip` is what they say, a line each,
//! `data-href` where they lead, and `data-series` tells which line they are on. The drawing is one thing for Tab and for
//! assistive technology; what its keys reach is announced.

mod press;
mod tip;
mod walk;

use crate::{dom::on, notice};
use leptos::ev;
use std::cell::Cell;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, Event, FocusEvent, HtmlElement, KeyboardEvent, PointerEvent};

/// How far from the pointer a point may be to be the one that is meant, in pixels.
const REACH: f64 = 48.0;

const DRAWINGS: &str = ".chart .drawing";

thread_local! {
    /// Whether it was the pointer that showed the point, and not the keyboard.
    static IS_POINTED: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn listen(document: &Document) {
    press::listen(document);
    on(document, ev::pointermove, |event: PointerEvent| {
        point_at(&event)
    });
    on(document, ev::focusin, |event: FocusEvent| {
        if let Some(drawing) = drawing_at(&event)
            && !(IS_POINTED.get() && tip::shown_in(&drawing).is_some())
        {
            read(walk::current(&drawing));
        }
    });
    on(document, ev::focusout, |event: FocusEvent| {
        // What the pointer shows stays: pressing its button moves the focus, too.
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

/// Lets Tab reach each drawing, and tells assistive technology that it takes keys itself. Without scripts it is a picture,
/// and the table beside it has its links.
pub(crate) fn prepare(within: &Element) {
    let drawings = within.query_selector_all(DRAWINGS).ok();
    let count = drawings.as_ref().map_or(0, web_sys::NodeList::length);
    for index in 0..count {
        let drawing = drawings
            .as_ref()
            .and_then(|drawings| drawings.item(index)?.dyn_into::<Element>().ok());
        let Some(drawing) = drawing else { continue };
        // Setting an attribute of an element does not fail.
        let _ = drawing.set_attribute("tabindex", "0");
        let _ = drawing.set_attribute("role", "application");
        let _ = drawing.set_attribute("aria-roledescription", "chart");
        if let Some(keys) = drawing.get_attribute("data-keys") {
            let _ = drawing.set_attribute("aria-describedby", &keys);
        }
    }
}

/// The point that is read in an element that has the focus, if that is a drawing.
pub(crate) fn read_in(focused: &Element) -> Option<Element> {
    let is_drawing = focused.matches(DRAWINGS).unwrap_or(false);
    tip::shown_in(focused).filter(|_| is_drawing)
}

/// Goes on reading a chart at one of its points.
pub(crate) fn read_at(mark: &Element) {
    let drawing = mark.closest(DRAWINGS).ok().flatten();
    if let Some(drawing) = drawing.and_then(|drawing| drawing.dyn_into::<HtmlElement>().ok()) {
        IS_POINTED.set(true);
        tip::show(mark);
        // A drawing that takes no focus is read with the pointer.
        let _ = drawing.focus();
        IS_POINTED.set(false);
    }
}

/// Shows the point that the keyboard has reached, and has it announced.
fn read(mark: Option<Element>) {
    let Some(mark) = mark else { return };
    IS_POINTED.set(false);
    tip::show(&mark);
    if let Some(text) = mark.get_attribute("data-tip") {
        notice::announce(&text.replace('\n', ", "));
    }
}

fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// The drawing that an event happened in.
fn drawing_at(event: &Event) -> Option<Element> {
    target(event)?.closest(DRAWINGS).ok()?
}

fn is_tile(mark: &Element) -> bool {
    mark.class_list().contains("tile")
}

/// A key by itself: with others it is the browser's, such as Alt and an arrow for the page before.
fn is_plain_key(event: &KeyboardEvent) -> bool {
    !(event.meta_key() || event.ctrl_key() || event.shift_key() || event.alt_key())
}

fn point_at(event: &PointerEvent) {
    match pointed_at(event) {
        Some(mark) => {
            IS_POINTED.set(true);
            tip::show(&mark);
        }
        // What the keyboard reads stays.
        None if IS_POINTED.get() => tip::hide(),
        None => {}
    }
}

fn pointed_at(event: &PointerEvent) -> Option<Element> {
    // A tile has an area of its own: the one under the pointer is meant, and none that is only near.
    let tile = target(event)?.closest(".chart .tile").ok().flatten();
    if tile.is_some() {
        return tile;
    }
    let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
    walk::marks(&drawing_at(event)?)
        .map(|mark| {
            let (mark_x, mark_y) = walk::position(&mark);
            ((mark_x - x).abs(), (mark_y - y).abs(), mark)
        })
        .filter(|(across, ..)| *across <= REACH)
        // Which moment is meant says the pointer's place from left to right; which line, its height.
        .min_by(|a, b| (a.0 * 4.0 + a.1).total_cmp(&(b.0 * 4.0 + b.1)))
        .map(|(.., mark)| mark)
}
