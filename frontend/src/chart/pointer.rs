//! Shows the point next to the pointer.

use super::drawing::{drawing_at, marks, position};
use crate::{
    dom::target,
    tip::{self, IS_POINTED},
};
use web_sys::{Element, PointerEvent};

/// The largest horizontal distance between the pointer and the point that it shows, in pixels.
const REACH: f64 = 48.0;

pub(super) fn point_at(event: &PointerEvent) {
    match pointed_at(event) {
        Some(mark) => {
            IS_POINTED.set(true);
            tip::show(&mark);
        }
        // A point that the keyboard reads stays.
        None if IS_POINTED.get() => tip::hide(),
        None => {}
    }
}

fn pointed_at(event: &PointerEvent) -> Option<Element> {
    // A tile is an area: the pointer shows the one under it, not one near it.
    let tile = target::<Element>(event)?
        .closest(".chart .tile")
        .ok()
        .flatten();
    if tile.is_some() {
        return tile;
    }
    let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
    marks(&drawing_at(event)?)
        .map(|mark| {
            let (mark_x, mark_y) = position(&mark);
            ((mark_x - x).abs(), (mark_y - y).abs(), mark)
        })
        .filter(|(across, ..)| *across <= REACH)
        // The horizontal position selects the time, the vertical one the line.
        .min_by(|a, b| (a.0 * 4.0 + a.1).total_cmp(&(b.0 * 4.0 + b.1)))
        .map(|(.., mark)| mark)
}
