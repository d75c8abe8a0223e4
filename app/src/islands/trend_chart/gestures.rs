//! What pointers do to a chart: point at it, drag over a period, pinch, click a point.

mod keys;
mod press;

pub(super) use press::Presses;

use super::{cursor::Cursor, state::State};
use crate::{
    browser::{Timer, open_in_tab},
    islands::{host, listening::Listening},
};
use keys::key_pressed;
use leptos::prelude::*;
use press::Pointer;
use std::{cell::RefCell, time::Duration};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, MouseEvent, PointerEvent};

/// How long a click waits for a second click, which would make it a double click.
const PAUSE: Duration = Duration::from_millis(300);

const EVENTS: [&str; 10] = [
    "pointermove",
    "pointerdown",
    "pointerup",
    "pointercancel",
    "pointerleave",
    "dblclick",
    "click",
    "focus",
    "blur",
    "keydown",
];

thread_local! {
    /// The timer that opens the clicked point, unless another click or a key stops it.
    static OPENING: Timer = const { Timer::new() };
    /// The point that was opened last: reading continues there when the reader comes back.
    static OPENED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Handles the events of the drawing until the chart leaves the page. One handler takes much less code than a view with ten.
pub(super) fn listen(state: State, plot: &Element) {
    let mut listening = Listening::to(plot.clone());
    for name in EVENTS {
        listening.add(name, Box::new(move |event| handle(state, &event)));
    }
    StoredValue::new_local(listening);
}

fn handle(state: State, event: &Event) {
    match event.type_().as_str() {
        "focus" => focused(state),
        "blur" => blurred(state),
        "dblclick" => double_clicked(state),
        "pointercancel" => cancelled(state),
        name => {
            if let Some(event) = event.dyn_ref() {
                key_pressed(state, event);
            } else if name == "click"
                && let Some(event) = event.dyn_ref()
            {
                clicked(state, event);
            } else if let Some(event) = event.dyn_ref() {
                pointed(state, name, event);
            }
        }
    }
}

fn pointed(state: State, name: &str, event: &PointerEvent) {
    let plot = event.current_target();
    let Some(plot) = plot.and_then(|plot| plot.dyn_into::<Element>().ok()) else {
        return;
    };
    match name {
        "pointermove" => pointer_moved(state, &plot, event),
        "pointerdown" => pointer_pressed(state, &plot, event),
        "pointerup" => pointer_released(state, &plot, event),
        _ => pointer_left(state, event),
    }
}

fn pointer_pressed(state: State, plot: &Element, event: &PointerEvent) {
    let (pointer, place) = at(state, plot, event);
    state.set_selection(None);
    if event.button() != 0 {
        return;
    }
    let before = state.cursor();
    point_at(state, place);
    let is_finger = event.pointer_type() == "touch";
    let after = state.cursor();
    let is_for_reading = is_finger && after.is_some() && before != after;
    state.with_presses(|presses| presses.pressed(pointer, is_finger, is_for_reading));
    // Without the capture, a drag ends at the edge of the chart.
    let _ = plot.set_pointer_capture(event.pointer_id());
}

fn pointer_moved(state: State, plot: &Element, event: &PointerEvent) {
    let (pointer, place) = at(state, plot, event);
    let is_down = !state.with_presses(|presses| presses.is_empty());
    // The button may have been released without an event, such as in a menu.
    if is_down && event.buttons() == 0 {
        return cancelled(state);
    }
    let dragged = state.with_presses(|presses| {
        presses.moved(pointer);
        presses.dragged()
    });
    match dragged {
        Some((start, end)) => {
            let frame = state.frame();
            state.set_cursor(None);
            state.set_selection(Some((frame.time_at(start), frame.time_at(end))));
        }
        None => {
            if is_down {
                state.set_selection(None);
            }
            point_at(state, place);
        }
    }
}

fn pointer_released(state: State, plot: &Element, event: &PointerEvent) {
    let (pointer, _) = at(state, plot, event);
    let (pinched, dragged) = state.with_presses(|presses| {
        let what = (presses.pinched(), presses.dragged());
        presses.released(pointer.id);
        what
    });
    if let Some(pinch) = pinched {
        state.with_presses(Presses::clear);
        keys::zoom_to(state, pinch.period(&state.frame()));
    } else if let Some((start, end)) = dragged {
        let frame = state.frame();
        state.select((frame.time_at(start), frame.time_at(end)));
    }
}

/// The browser has taken the pointer over, to scroll.
fn cancelled(state: State) {
    state.with_presses(Presses::clear);
    state.set_selection(None);
}

fn pointer_left(state: State, event: &PointerEvent) {
    // A finger that is lifted leaves too, and the point that it reads stays.
    if state.is_pointed() && event.pointer_type() != "touch" {
        state.set_cursor(None);
    }
}

/// Opens the point that is read. A drag and a double click open nothing.
fn clicked(state: State, event: &MouseEvent) {
    stop_opening();
    let Some(href) = href_of(state) else { return };
    let press = state.with_presses(|presses| presses.last());
    // Assistive technology clicks the point that it reads, without a pointer.
    let Some(press) = press.filter(|_| event.detail() > 0) else {
        return open(&href);
    };
    // A click beside all points opens nothing, even if the keyboard reads a point.
    let is_pointed = state.is_pointed();
    if !is_pointed || press.is_drag || press.is_for_reading || event.button() != 0 {
        return;
    }
    if event.ctrl_key() || event.meta_key() {
        return open_in_tab(&href);
    }
    if event.shift_key() || event.alt_key() {
        return;
    }
    // A finger's first tap reads and its second opens, however quickly it follows.
    if press.is_finger {
        return open(&href);
    }
    if event.detail() == 1 {
        OPENING.with(|opening| opening.start(PAUSE, move || open(&href)));
    }
}

/// Shows the whole period again. A finger's second tap opens a point instead.
fn double_clicked(state: State) {
    if !was_finger(state) {
        state.reset();
    }
}

/// Whether a finger pressed last.
fn was_finger(state: State) -> bool {
    let last = state.with_presses(|presses| presses.last());
    last.is_some_and(|press| press.is_finger)
}

/// Reading continues where it ended.
pub(super) fn focused(state: State) {
    if state.with_presses(|presses| presses.is_empty()) && state.cursor().is_none() {
        let chart = state.chart();
        let opened = OPENED.take();
        let opened = opened.and_then(|href| Cursor::of_link(&chart, &href));
        let last = state.last().filter(|last| last.of(&chart).is_some());
        read(state, opened.or(last).or_else(|| Cursor::first(&chart)));
    }
}

fn blurred(state: State) {
    // A point that the mouse shows stays.
    if was_finger(state) || !state.is_pointed() {
        state.set_cursor(None);
    }
}

/// Shows and announces the point that the keyboard reads.
fn read(state: State, cursor: Option<Cursor>) {
    state.set_read(cursor, false);
    state.announce();
}

fn point_at(state: State, place: (f64, f64)) {
    let nearest = Cursor::nearest(&state.chart(), &state.frame(), place);
    // A point that the keyboard reads stays, unless the pointer finds another point.
    if nearest.is_some() || state.is_pointed() {
        state.set_read(nearest, true);
    }
}

/// The place of a pointer, on the screen and in units of the drawing.
fn at(state: State, plot: &Element, event: &PointerEvent) -> (Pointer, (f64, f64)) {
    let area = plot.get_bounding_client_rect();
    let size = state.size();
    let scale = f64::from(size.width) / area.width().max(1.0);
    let screen = (event.client_x(), event.client_y());
    let place = (
        (f64::from(screen.0) - area.left()) * scale,
        (f64::from(screen.1) - area.top()) * scale,
    );
    let pointer = Pointer {
        id: event.pointer_id(),
        screen,
        x: place.0,
    };
    (pointer, place)
}

fn href_of(state: State) -> Option<String> {
    state.cursor()?.of(&state.chart())?.1.href.clone()
}

fn open(href: &str) {
    OPENED.set(Some(href.to_owned()));
    host().open(href);
}

/// Cancels the click that waits for a second click: another page was requested, or a key was pressed.
pub fn stop_opening() {
    OPENING.with(Timer::stop);
}
