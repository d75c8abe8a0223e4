//! The text of a chart's point, shown next to it.

use crate::dom::document;
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// The drawings of maps, which the keyboard reads tile by tile.
pub(crate) const DRAWINGS: &str = ".map .drawing";

/// The class of the point that is shown.
const CURRENT: &str = "current";

thread_local! {
    /// Whether the pointer shows the point, and not the keyboard.
    pub(crate) static IS_POINTED: Cell<bool> = const { Cell::new(false) };
    /// The point that is shown, and the element with its text.
    static SHOWN: RefCell<Option<(Element, HtmlElement)>> = const { RefCell::new(None) };
    /// The point that was shown last. It may be hidden now.
    static LAST: RefCell<Option<Element>> = const { RefCell::new(None) };
}

/// The point that is shown, if it is still part of the page.
pub(crate) fn shown() -> Option<Element> {
    SHOWN.with(|shown| {
        let mark = shown.borrow().as_ref().map(|(mark, _)| mark.clone());
        mark.filter(|mark| mark.is_connected())
    })
}

/// The point that is shown, if it is in `drawing`.
pub(crate) fn shown_in(drawing: &Element) -> Option<Element> {
    shown().filter(|mark| drawing.contains(Some(mark)))
}

/// The point that was shown last, if it is in `drawing`.
pub(crate) fn last_in(drawing: &Element) -> Option<Element> {
    let last = LAST.with(|last| last.borrow().clone());
    last.filter(|mark| drawing.contains(Some(mark)))
}

pub(crate) fn show(mark: &Element) {
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
    // None of these calls fails on elements of the page.
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

pub(crate) fn hide() {
    if let Some((mark, tip)) = SHOWN.with(RefCell::take) {
        tip.remove();
        let _ = mark.class_list().remove_1(CURRENT);
    }
}

/// The point that the keyboard reads in `focused`, if that is a drawing.
pub(crate) fn read_in(focused: &Element) -> Option<Element> {
    let is_drawing = focused.matches(DRAWINGS).unwrap_or(false);
    shown_in(focused).filter(|_| is_drawing)
}

/// Shows a point and focuses its drawing, so that the keyboard continues there.
pub(crate) fn read_at(mark: &Element) {
    let drawing = mark.closest(DRAWINGS).ok().flatten();
    if let Some(drawing) = drawing.and_then(|drawing| drawing.dyn_into::<HtmlElement>().ok()) {
        // While it is set, taking the focus does not select another point.
        IS_POINTED.set(true);
        show(mark);
        // If the drawing cannot be focused, the pointer still reads it.
        let _ = drawing.focus();
        IS_POINTED.set(false);
    }
}

fn element() -> Option<HtmlElement> {
    let tip: HtmlElement = document().create_element("div").ok()?.dyn_into().ok()?;
    tip.set_class_name("tip");
    let _ = tip.set_attribute("aria-hidden", "true");
    Some(tip)
}
