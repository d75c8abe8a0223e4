//! From one point of a chart to another.

use super::{is_tile, tip};
use wasm_bindgen::JsCast;
use web_sys::Element;

/// Points that Page Up and Page Down go by.
const PAGE: usize = 10;

/// The points of a drawing, in the order of its lines and from left to right.
pub(super) fn marks(drawing: &Element) -> impl Iterator<Item = Element> + use<> {
    let marks = drawing.query_selector_all(".mark").ok();
    let count = marks.as_ref().map_or(0, web_sys::NodeList::length);
    (0..count).filter_map(move |index| marks.as_ref()?.item(index)?.dyn_into().ok())
}

/// The point where reading goes on: the one that was shown last, else the newest of the first line, or the largest tile.
pub(super) fn current(drawing: &Element) -> Option<Element> {
    tip::last_in(drawing).or_else(|| {
        let mut first_line: Vec<_> = marks(drawing).filter(|mark| series(mark) == 0).collect();
        match first_line.first().is_some_and(is_tile) {
            true => Some(first_line.swap_remove(0)),
            false => first_line.pop(),
        }
    })
}

/// The middle of a point on the screen.
pub(super) fn position(mark: &Element) -> (f64, f64) {
    let area = mark.get_bounding_client_rect();
    (
        area.left() + area.width() / 2.0,
        area.top() + area.height() / 2.0,
    )
}

/// The point that a key leads to: left and right along the line, Page Up and Page Down by several, Home and End to its ends,
/// up and down to the next line.
pub(super) fn by_key(drawing: &Element, key: &str) -> Option<Element> {
    let mark = current(drawing)?;
    let line = series(&mark);
    let on_line: Vec<_> = marks(drawing)
        .filter(|other| series(other) == line)
        .collect();
    let here = on_line.iter().position(|other| *other == mark)?;
    let last = on_line.len().saturating_sub(1);
    let there = match key {
        "ArrowLeft" => here.saturating_sub(1),
        "ArrowRight" => last.min(here + 1),
        "PageUp" => here.saturating_sub(PAGE),
        "PageDown" => last.min(here + PAGE),
        "Home" => 0,
        "End" => last,
        "ArrowUp" => return nearest(drawing, &mark, line.checked_sub(1)?),
        "ArrowDown" => return nearest(drawing, &mark, line + 1),
        _ => return None,
    };
    on_line.get(there).cloned()
}

fn series(mark: &Element) -> u32 {
    let series = mark.get_attribute("data-series");
    series
        .and_then(|series| series.parse().ok())
        .unwrap_or_default()
}

fn nearest(drawing: &Element, mark: &Element, line: u32) -> Option<Element> {
    let distance = |other: &Element| (position(other).0 - position(mark).0).abs();
    marks(drawing)
        .filter(|other| series(other) == line)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
}
