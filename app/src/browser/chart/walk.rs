//! From one point of a chart to another.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, SvgElement};

/// The points of a drawing, in the order of its lines and from left to right.
pub(super) fn marks(drawing: &Element) -> impl Iterator<Item = Element> + use<> {
    let marks = drawing.query_selector_all(".mark").ok();
    let count = marks.as_ref().map_or(0, web_sys::NodeList::length);
    (0..count).filter_map(move |index| marks.as_ref()?.item(index)?.dyn_into().ok())
}

/// The last point of the first line.
pub(super) fn newest(drawing: &Element) -> Option<Element> {
    marks(drawing).filter(|mark| series(mark) == 0).last()
}

/// The middle of a point on the screen.
pub(super) fn position(mark: &Element) -> (f64, f64) {
    let area = mark.get_bounding_client_rect();
    (
        area.left() + area.width() / 2.0,
        area.top() + area.height() / 2.0,
    )
}

/// The point that a key leads to: left and right along the line, up and down to the next line, Home and End to its ends.
pub(super) fn from(mark: &Element, key: &str) -> Option<Element> {
    let drawing = mark.closest("svg").ok()??;
    let line = series(mark);
    let on_line: Vec<_> = marks(&drawing)
        .filter(|other| series(other) == line)
        .collect();
    let here = on_line.iter().position(|other| other == mark)?;
    match key {
        "ArrowLeft" => on_line.get(here.checked_sub(1)?).cloned(),
        "ArrowRight" => on_line.get(here + 1).cloned(),
        "Home" => on_line.first().cloned(),
        "End" => on_line.last().cloned(),
        "ArrowUp" => nearest(&drawing, mark, line.checked_sub(1)?),
        "ArrowDown" => nearest(&drawing, mark, line + 1),
        _ => None,
    }
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

/// Moves the focus, and with it the point that Tab comes back to.
pub(super) fn focus(before: &Element, next: &Element) {
    // Neither setting an attribute nor focusing what can be focused fails.
    let _ = before.set_attribute("tabindex", "-1");
    let _ = next.set_attribute("tabindex", "0");
    if let Some(next) = next.dyn_ref::<SvgElement>() {
        let _ = next.focus();
    } else if let Some(next) = next.dyn_ref::<HtmlElement>() {
        let _ = next.focus();
    }
}
