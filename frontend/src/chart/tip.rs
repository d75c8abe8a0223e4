//! What a point of a chart says, shown beside it.

use crate::dom::document;
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

const CURRENT: &str = "current";

thread_local! {
    static SHOWN: RefCell<Option<(Element, HtmlElement)>> = const { RefCell::new(None) };
    /// The point that was shown last, also after it was put away.
    static LAST: RefCell<Option<Element>> = const { RefCell::new(None) };
}

/// The point that is shown, if the page still has it.
pub(super) fn shown() -> Option<Element> {
    SHOWN.with(|shown| {
        let mark = shown.borrow().as_ref().map(|(mark, _)| mark.clone());
        mark.filter(|mark| mark.is_connected())
    })
}

/// The same, if it is a point of `drawing`.
pub(super) fn shown_in(drawing: &Element) -> Option<Element> {
    shown().filter(|mark| drawing.contains(Some(mark)))
}

/// The point of `drawing` that is shown, or was before it was put away.
pub(super) fn last_in(drawing: &Element) -> Option<Element> {
    let last = LAST.with(|last| last.borrow().clone());
    last.filter(|mark| drawing.contains(Some(mark)))
}

pub(super) fn show(mark: &Element) {
    if shown().is_some_and(|shown| shown == *mark) {
        return;
    }
    hide();
    LAST.with(|last| *last.borrow_mut() = Some(mark.clone()));
    let Some(figure) = mark.closest(".chart").ok().flatten() else {
        return;
    };
    let (Some(text), Some(tip)) = (mark.get_attribute("data-tip"), element()) else {
        return;
    };
    tip.set_text_content(Some(&text));
    // An element of the page takes a child, a class and a place.
    let _ = figure.append_child(&tip);
    let _ = mark.class_list().add_1(CURRENT);
    let (around, point) = (
        figure.get_bounding_client_rect(),
        mark.get_bounding_client_rect(),
    );
    let (width, height) = (
        f64::from(tip.offset_width()),
        f64::from(tip.offset_height()),
    );
    let middle = point.left() + point.width() / 2.0 - around.left();
    let left = (middle - width / 2.0).clamp(0.0, (around.width() - width).max(0.0));
    let above = point.top() - around.top() - height - 6.0;
    let top = if above >= 0.0 {
        above
    } else {
        point.bottom() - around.top() + 6.0
    };
    let style = tip.style();
    let _ = style.set_property("left", &format!("{left}px"));
    let _ = style.set_property("top", &format!("{top}px"));
    SHOWN.with(|shown| *shown.borrow_mut() = Some((mark.clone(), tip)));
}

pub(super) fn hide() {
    if let Some((mark, tip)) = SHOWN.with(RefCell::take) {
        tip.remove();
        let _ = mark.class_list().remove_1(CURRENT);
    }
}

fn element() -> Option<HtmlElement> {
    let tip: HtmlElement = document().create_element("div").ok()?.dyn_into().ok()?;
    tip.set_class_name("tip");
    let _ = tip.set_attribute("aria-hidden", "true");
    Some(tip)
}
