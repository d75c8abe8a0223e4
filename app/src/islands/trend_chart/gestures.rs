//! What pointers do to a chart: point at it, drag over a period, pinch, click a point.

mod keys;
mod press;

pub(super) use keys::key_pressed;
pub(super) use press::Presses;

use super::{cursor::Cursor, plot, state::State};
use crate::islands::host;
use leptos::{html, leptos_dom::helpers::TimeoutHandle, prelude::*};
use press::Pointer;
use std::{cell::RefCell, time::Duration};
use web_sys::{Element, HtmlElement, MouseEvent, PointerEvent};

/// How long a click waits for a second one, which would make it a double click.
const PAUSE: Duration = Duration::from_millis(300);

type Plot = NodeRef<html::Div>;

thread_local! {
    /// Opens the clicked point, unless another click or a key stops it.
    static OPENING: RefCell<Option<TimeoutHandle>> = const { RefCell::new(None) };
    /// The point that was opened last: reading continues there when the reader comes back.
    static OPENED: RefCell<Option<String>> = const { RefCell::new(None) };
}

pub(super) fn pointer_pressed(state: State, plot: Plot, event: &PointerEvent) {
    let Some((pointer, place)) = at(state, plot, event) else {
        return;
    };
    state.selection.set(None);
    if event.button() != 0 {
        return;
    }
    let before = state.cursor.get_untracked();
    point_at(state, place);
    let is_finger = event.pointer_type() == "touch";
    let after = state.cursor.get_untracked();
    let is_for_reading = is_finger && after.is_some() && before != after;
    let presses = state.presses;
    presses.update_value(|presses| presses.pressed(pointer, is_finger, is_for_reading));
    if let Some(plot) = plot.get_untracked() {
        // Without it, a drag ends at the edge of the chart.
        let _ = plot.set_pointer_capture(event.pointer_id());
    }
}

pub(super) fn pointer_moved(state: State, plot: Plot, event: &PointerEvent) {
    let Some((pointer, place)) = at(state, plot, event) else {
        return;
    };
    let is_down = !state.presses.with_value(Presses::is_empty);
    // The button may have been released where no event said so, such as in a menu.
    if is_down && event.buttons() == 0 {
        return cancelled(state);
    }
    state.presses.update_value(|presses| presses.moved(pointer));
    match state.presses.with_value(Presses::dragged) {
        Some((start, end)) => {
            let frame = state.frame();
            state.cursor.set(None);
            state
                .selection
                .set(Some((frame.time_at(start), frame.time_at(end))));
        }
        None => {
            if is_down {
                state.selection.set(None);
            }
            point_at(state, place);
        }
    }
}

pub(super) fn pointer_released(state: State, plot: Plot, event: &PointerEvent) {
    let Some((pointer, _)) = at(state, plot, event) else {
        return;
    };
    let pinched = state.presses.with_value(Presses::pinched);
    let dragged = state.presses.with_value(Presses::dragged);
    state
        .presses
        .update_value(|presses| presses.released(pointer.id));
    if let Some(pinch) = pinched {
        state.presses.update_value(Presses::clear);
        keys::zoom_to(state, pinch.period(&state.frame()));
    } else if let Some((start, end)) = dragged {
        let frame = state.frame();
        state.select((frame.time_at(start), frame.time_at(end)));
    }
}

/// The browser has taken the pointer over, to scroll.
pub(super) fn cancelled(state: State) {
    state.presses.update_value(Presses::clear);
    state.selection.set(None);
}

pub(super) fn pointer_left(state: State, event: &PointerEvent) {
    // A finger that is lifted leaves too, and the point that it reads stays.
    if state.is_pointed.get_value() && event.pointer_type() != "touch" {
        state.cursor.set(None);
    }
}

/// Opens the point that is read. A drag and a double click open nothing.
pub(super) fn clicked(state: State, event: &MouseEvent) {
    stop_opening();
    let Some(href) = href_of(state) else { return };
    let press = state.presses.with_value(Presses::last);
    // Assistive technology clicks the point that it reads, without a pointer.
    let Some(press) = press.filter(|_| event.detail() > 0) else {
        return open(&href);
    };
    // A click beside every point opens nothing, even if the keyboard reads one.
    let is_pointed = state.is_pointed.get_value();
    if !is_pointed || press.is_drag || press.is_for_reading || event.button() != 0 {
        return;
    }
    if event.ctrl_key() || event.meta_key() {
        return host::open_in_tab(&href);
    }
    if event.shift_key() || event.alt_key() {
        return;
    }
    // A finger's first tap reads and its second opens, however quickly it follows.
    if press.is_finger {
        return open(&href);
    }
    if event.detail() == 1 {
        let opening = set_timeout_with_handle(move || open(&href), PAUSE).ok();
        OPENING.set(opening);
    }
}

/// Shows the whole period again. A finger's second tap opens a point instead.
pub(super) fn double_clicked(state: State) {
    if !was_finger(state) {
        state.reset();
    }
}

/// Whether a finger pressed last.
fn was_finger(state: State) -> bool {
    let last = state.presses.with_value(Presses::last);
    last.is_some_and(|press| press.is_finger)
}

/// Reading continues where it ended.
pub(super) fn focused(state: State) {
    if state.presses.with_value(Presses::is_empty) && state.cursor.get_untracked().is_none() {
        let last = state.last.get_value();
        let opened = OPENED.take();
        let cursor = state.chart.with_untracked(|chart| {
            let opened = opened.and_then(|href| Cursor::of_link(chart, &href));
            opened
                .or(last.filter(|last| last.of(chart).is_some()))
                .or_else(|| Cursor::first(chart))
        });
        read(state, cursor);
    }
}

pub(super) fn blurred(state: State) {
    // A point that the mouse shows stays.
    if was_finger(state) || !state.is_pointed.get_value() {
        state.cursor.set(None);
    }
}

/// Shows and announces the point that the keyboard reads.
fn read(state: State, cursor: Option<Cursor>) {
    state.is_pointed.set_value(false);
    state.last.set_value(cursor);
    state.cursor.set(cursor);
    plot::announce(state);
}

fn point_at(state: State, place: (f64, f64)) {
    let frame = state.frame();
    let nearest = state
        .chart
        .with_untracked(|chart| Cursor::nearest(chart, &frame, place));
    // A point that the keyboard reads stays, unless the pointer finds another.
    if nearest.is_some() || state.is_pointed.get_value() {
        state.is_pointed.set_value(true);
        if state.cursor.get_untracked() != nearest {
            state.cursor.set(nearest);
        }
    }
    if nearest.is_some() {
        state.last.set_value(nearest);
    }
}

/// The place of a pointer, on the screen and in units of the drawing.
fn at(state: State, plot: Plot, event: &PointerEvent) -> Option<(Pointer, (f64, f64))> {
    let plot: HtmlElement = plot.get_untracked()?.into();
    let area = Element::from(plot).get_bounding_client_rect();
    let size = state.size.get_untracked();
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
    Some((pointer, place))
}

fn href_of(state: State) -> Option<String> {
    let cursor = state.cursor.get_untracked()?;
    state
        .chart
        .with_untracked(|chart| cursor.of(chart)?.1.href.clone())
}

/// Opens the page of a point.
fn open(href: &str) {
    OPENED.set(Some(href.to_owned()));
    host::open(href);
}

/// Stops the click that waits for a second one.
pub(in crate::islands) fn stop_opening() {
    if let Some(opening) = OPENING.take() {
        opening.clear();
    }
}
