//! Moves from one tile of a map to another by keys.

use crate::{dom::all, tip};
use web_sys::Element;

/// How many tiles Page Up and Page Down skip.
const PAGE: usize = 10;

/// The tile where reading continues: the tile that was shown last, else the largest one.
pub(super) fn current(drawing: &Element) -> Option<Element> {
    tip::last_in(drawing).or_else(|| all(drawing, ".tile").next())
}

/// The tile that a key selects: left and right to the next one, Page Up and Page Down by several, Home and End to the ends.
pub(super) fn by_key(drawing: &Element, key: &str) -> Option<Element> {
    let tile = current(drawing)?;
    let tiles: Vec<_> = all(drawing, ".tile").collect();
    let here = tiles.iter().position(|other| *other == tile)?;
    let last = tiles.len().saturating_sub(1);
    let there = match key {
        "ArrowLeft" => here.saturating_sub(1),
        "ArrowRight" => last.min(here + 1),
        "PageUp" => here.saturating_sub(PAGE),
        "PageDown" => last.min(here + PAGE),
        "Home" => 0,
        "End" => last,
        _ => return None,
    };
    tiles.get(there).cloned()
}
