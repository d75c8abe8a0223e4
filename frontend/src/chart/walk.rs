//! Moves from one point of a chart to another by keys.

use super::drawing::{is_tile, marks, position};
use crate::tip;
use web_sys::Element;

/// How many points Page Up and Page Down skip.
const PAGE: usize = 10;

/// The point where reading continues: the one shown last, else the newest point of the first line, or the largest tile.
pub(super) fn current(drawing: &Element) -> Option<Element> {
    tip::last_in(drawing).or_else(|| {
        let mut first_line: Vec<_> = marks(drawing).filter(|mark| series(mark) == 0).collect();
        if first_line.first().is_some_and(is_tile) {
            Some(first_line.swap_remove(0))
        } else {
            first_line.pop()
        }
    })
}

/// The point that a key selects: left and right along the line, Page Up and Page Down by several points, Home and End to the
/// ends of the line, up and down to the next line.
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
