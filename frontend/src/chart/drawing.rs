//! What the server draws: a drawing, its points and tiles.

use crate::{
    dom::{all, target},
    tip::DRAWINGS,
};
use web_sys::{Element, Event};

/// The drawing in which an event happened.
pub(super) fn drawing_at(event: &Event) -> Option<Element> {
    target::<Element>(event)?.closest(DRAWINGS).ok()?
}

/// The points of a drawing, line by line and from left to right.
pub(super) fn marks(drawing: &Element) -> impl Iterator<Item = Element> + use<> {
    all(drawing, ".mark")
}

/// The middle of a point on the screen.
pub(super) fn position(mark: &Element) -> (f64, f64) {
    let area = mark.get_bounding_client_rect();
    (
        area.left() + area.width() / 2.0,
        area.top() + area.height() / 2.0,
    )
}

pub(super) fn is_tile(mark: &Element) -> bool {
    mark.class_list().contains("tile")
}
