//! Charts to be pointed at and walked through: the point next to the pointer, or the one with the focus, says what it is.
//!
//! The server draws a chart's points as elements `.mark` within `figure.chart`: `data-tip` is what they say, a line each,
//! and `data-series` tells which line they are on. One of them can be reached with Tab; arrow keys go on from there.

mod tip;
mod walk;

use super::navigation::{self, Address, Arrival};
use leptos::ev;
use std::cell::Cell;
use wasm_bindgen::JsCast;
use web_sys::{
    Document, Element, Event, FocusEvent, KeyboardEvent, MouseEvent, Node, PointerEvent, Url,
};

/// How far from the pointer a point may be to be the one that is meant, in pixels.
const REACH: f64 = 48.0;

thread_local! {
    /// Whether the finger that is down shows a point that was not shown before: then its tap is to read it, not to follow it.
    static IS_FOR_READING: Cell<bool> = const { Cell::new(false) };
    /// Whether it was the pointer that showed the point, and not the focus.
    static IS_POINTED: Cell<bool> = const { Cell::new(false) };
}

pub(super) fn listen(document: &Document) {
    super::on(document, ev::pointermove, |event: PointerEvent| {
        point_at(&event)
    });
    super::on(document, ev::pointerdown, |event: PointerEvent| {
        let before = tip::shown();
        point_at(&event);
        let shown = tip::shown().filter(|mark| !is_tile(mark));
        IS_FOR_READING.set(event.pointer_type() == "touch" && shown.is_some() && shown != before);
    });
    super::on(document, ev::focusin, |event: FocusEvent| {
        if let Some(mark) = mark_of(&event) {
            IS_POINTED.set(false);
            tip::show(&mark);
        }
    });
    super::on(document, ev::focusout, |event: FocusEvent| {
        // What the pointer shows stays: pressing its button moves the focus, too.
        if mark_of(&event).is_some() && !IS_POINTED.get() {
            tip::hide();
        }
    });
    super::on(document, ev::keydown, |event: KeyboardEvent| {
        if event.key() == "Escape" {
            tip::hide();
        } else if is_plain_key(&event)
            && let Some(mark) = mark_of(&event)
            && let Some(next) = walk::from(&mark, &event.key())
        {
            event.prevent_default();
            walk::focus(&mark, &next);
        }
    });
    super::on(document, ev::click, |event: MouseEvent| {
        // What a key clicks has no finger behind it.
        if IS_FOR_READING.take() && event.detail() > 0 && is_on_drawing(&event) {
            return event.prevent_default();
        }
        // A click beside a point is meant for the one that shows what it is; one on it is a link by itself.
        let is_on_link = target(&event)
            .is_some_and(|target| target.closest("a").is_ok_and(|link| link.is_some()));
        if !is_on_link
            && super::links::is_plain(&event)
            && is_on_drawing(&event)
            && let Some(address) = tip::shown().as_ref().and_then(leads_to)
        {
            navigation::go(address, Arrival::New);
        }
    });
}

/// Lets Tab reach one point of each drawing: the newest of its first line. Without scripts, when nothing could be done with
/// it, the table under the chart is what the keyboard reaches.
pub(super) fn prepare(within: &Element) {
    let drawings = within.query_selector_all(".chart svg").ok();
    let count = drawings.as_ref().map_or(0, web_sys::NodeList::length);
    for index in 0..count {
        let drawing = drawings
            .as_ref()
            .and_then(|drawings| drawings.item(index)?.dyn_into().ok());
        if let Some(newest) = drawing.as_ref().and_then(walk::newest) {
            // Setting an attribute of an element does not fail.
            let _ = newest.set_attribute("tabindex", "0");
        }
    }
}

fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

fn mark_of(event: &Event) -> Option<Element> {
    target(event)?.closest(".chart .mark").ok()?
}

fn is_on_drawing(event: &Event) -> bool {
    target(event).is_some_and(|target| {
        target
            .closest(".chart svg")
            .is_ok_and(|drawing| drawing.is_some())
    })
}

fn is_tile(mark: &Element) -> bool {
    mark.class_list().contains("tile")
}

/// A key by itself: with others it is the browser's, such as Alt and an arrow for the page before.
fn is_plain_key(event: &KeyboardEvent) -> bool {
    !(event.meta_key() || event.ctrl_key() || event.shift_key() || event.alt_key())
}

fn leads_to(mark: &Element) -> Option<Address> {
    let url = Url::new_with_base(&mark.get_attribute("href")?, &mark.base_uri().ok()??).ok()?;
    Address::of_page(&url)
}

fn point_at(event: &PointerEvent) {
    // A tile has an area of its own: the one under the pointer is meant, and none that is only near.
    if let Some(tile) = mark_of(event).filter(is_tile) {
        IS_POINTED.set(true);
        return tip::show(&tile);
    }
    let drawing = target(event).and_then(|target| target.closest(".chart svg").ok().flatten());
    let nearest = drawing.and_then(|drawing| {
        let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
        walk::marks(&drawing)
            .map(|mark| {
                let (mark_x, mark_y) = walk::position(&mark);
                ((mark_x - x).abs(), (mark_y - y).abs(), mark)
            })
            .filter(|(across, ..)| *across <= REACH)
            // Which moment is meant says the pointer's place from left to right; which line, its height.
            .min_by(|a, b| (a.0 * 4.0 + a.1).total_cmp(&(b.0 * 4.0 + b.1)))
            .map(|(.., mark)| mark)
    });
    match nearest {
        Some(mark) => {
            IS_POINTED.set(true);
            tip::show(&mark);
        }
        None if !has_focus() => tip::hide(),
        None => {}
    }
}

/// Whether a point is being read with the keyboard.
fn has_focus() -> bool {
    let focused = super::document().active_element();
    focused.is_some_and(|focused| {
        tip::shown().is_some_and(|mark| mark.is_same_node(Some(focused.unchecked_ref::<Node>())))
    })
}
