//! What keys do to a chart: read it point by point, open a point, select a period.

use super::{href_of, open, read, stop_opening};
use crate::islands::{
    host,
    trend_chart::{cursor::Cursor, state::State},
};
use domain::{Day, Timestamp};
use web_sys::KeyboardEvent;

pub(super) fn key_pressed(state: State, event: &KeyboardEvent) {
    stop_opening();
    // The browser handles combinations, such as Alt and an arrow for Back.
    if event.meta_key() || event.ctrl_key() || event.alt_key() {
        return;
    }
    let key = event.key();
    let is_handled = match key.as_str() {
        "Escape" => escape(state),
        "Enter" => enter(state),
        "+" | "=" => zoom(state, 1, 2),
        "-" => zoom(state, 2, 1),
        key => step(state, key, event.shift_key()),
    };
    if is_handled {
        event.prevent_default();
    }
}

/// Goes back by one step: the selection, the point that is read, the period.
fn escape(state: State) -> bool {
    if state.selection().is_some() {
        state.set_selection(None);
    } else if state.cursor().is_some() {
        state.set_cursor(None);
    } else {
        state.reset();
    }
    true
}

/// Shows the selected period, or opens the point that is read.
fn enter(state: State) -> bool {
    if let Some(selection) = state.selection() {
        state.select(selection);
        return true;
    }
    let href = href_of(state);
    if let Some(href) = &href {
        open(href);
    }
    href.is_some()
}

/// Reads another point; with Shift, also selects the time to it.
fn step(state: State, key: &str, is_selecting: bool) -> bool {
    let Some((before, next, after)) = next(state, key) else {
        return false;
    };
    let anchor = state.selection().map_or(before, |(anchor, _)| anchor);
    state.set_selection(is_selecting.then_some((anchor, after)));
    read(state, Some(next));
    if is_selecting {
        let day = |time| Day::of(Timestamp(time)).long();
        let (first, last) = (day(anchor.min(after)), day(anchor.max(after)));
        host().announce(&format!("{first} to {last} selected."));
    }
    true
}

/// The point that a key selects, with the times before and after.
fn next(state: State, key: &str) -> Option<(i64, Cursor, i64)> {
    let chart = &*state.chart();
    let from = state.cursor().or(state.last());
    let from = from.filter(|from| from.of(chart).is_some());
    let from = from.or_else(|| Cursor::first(chart))?;
    let next = from.after(chart, key)?;
    Some((from.of(chart)?.1.at.0, next, next.of(chart)?.1.at.0))
}

/// Shows a smaller or a larger part of the period, around the point that is read.
fn zoom(state: State, times: i64, part: i64) -> bool {
    let frame = state.frame();
    let (start, end) = frame.times_between(frame.across.start, frame.across.end);
    let (cursor, chart) = (state.cursor(), state.chart());
    let point = cursor.and_then(|cursor| cursor.of(&chart));
    let middle = point.map(|(_, point)| point.at.0);
    let middle = middle.unwrap_or(start + (end - start) / 2);
    let half = (end - start) * times / part / 2;
    zoom_to(state, (middle - half, middle + half));
    true
}

/// Shows the period between two times, or the whole period if the times are outside of it.
pub(super) fn zoom_to(state: State, (start, end): (i64, i64)) {
    let data = state.data();
    let first = data.since.or_else(|| data.points.first());
    let first = first.map_or(start, |first| first.0);
    let last = data.until.0;
    if start <= first && end >= last {
        state.reset();
    } else {
        state.select((start.max(first), end.min(last)));
    }
}
