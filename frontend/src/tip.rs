//! Content that appears on hover or focus: the text of a tile of a map, shown next to it, and what style sheets show.

use crate::dom::{document, on};
use app::browser::put_beside;
use leptos::ev;
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement, KeyboardEvent};

/// The drawings of maps, which the keyboard reads tile by tile.
pub(crate) const DRAWINGS: &str = ".map .drawing";

/// The attribute of the root element while content that appears on hover or focus is hidden.
const WITHOUT_TIPS: &str = "data-without-tips";

/// The class of the tile that is shown.
const CURRENT: &str = "current";

thread_local! {
    /// Whether the pointer shows the tile, and not the keyboard.
    pub(crate) static IS_POINTED: Cell<bool> = const { Cell::new(false) };
    /// The tile that is shown, and the element with its text.
    static SHOWN: RefCell<Option<(Element, HtmlElement)>> = const { RefCell::new(None) };
    /// The tile that was shown last. It may be hidden now.
    static LAST: RefCell<Option<Element>> = const { RefCell::new(None) };
}

/// The tile that is shown, if it is still part of the page.
pub(crate) fn shown() -> Option<Element> {
    SHOWN.with(|shown| {
        let tile = shown.borrow().as_ref().map(|(tile, _)| tile.clone());
        tile.filter(|tile| tile.is_connected())
    })
}

/// The tile that is shown, if it is in `drawing`.
pub(crate) fn shown_in(drawing: &Element) -> Option<Element> {
    shown().filter(|tile| drawing.contains(Some(tile)))
}

/// The tile that was shown last, if it is in `drawing`.
pub(crate) fn last_in(drawing: &Element) -> Option<Element> {
    let last = LAST.with(|last| last.borrow().clone());
    last.filter(|tile| drawing.contains(Some(tile)))
}

/// Drops tiles of a page that was replaced, to free its memory.
pub(crate) fn forget_removed() {
    if shown().is_none() {
        SHOWN.take();
    }
    LAST.with_borrow_mut(|last| last.take_if(|tile| !tile.is_connected()));
}

pub(crate) fn show(tile: &Element) {
    if shown().is_some_and(|shown| shown == *tile) {
        return;
    }
    hide();
    LAST.set(Some(tile.clone()));
    let Some(figure) = tile.closest(".chart").ok().flatten() else {
        return;
    };
    let (Some(text), Some(tip)) = (tile.get_attribute("data-tip"), element()) else {
        return;
    };
    tip.set_text_content(Some(&text));
    // These calls do not fail on elements of the page.
    let _ = figure.append_child(&tip);
    let _ = tile.class_list().add_1(CURRENT);
    let around = figure.get_bounding_client_rect();
    let area = tile.get_bounding_client_rect();
    let middle = area.left() + area.width() / 2.0 - around.left();
    let (above, below) = (area.top() - 6.0, area.bottom() + 6.0);
    let beside = (above - around.top(), below - around.top());
    put_beside(&tip, middle, beside, around.width());
    SHOWN.set(Some((tile.clone(), tip)));
}

pub(crate) fn hide() {
    if let Some((tile, tip)) = SHOWN.with(RefCell::take) {
        tip.remove();
        let _ = tile.class_list().remove_1(CURRENT);
    }
}

/// The tile that the keyboard reads in `focused`, if `focused` is a drawing.
pub(crate) fn read_in(focused: &Element) -> Option<Element> {
    let is_drawing = focused.matches(DRAWINGS).unwrap_or(false);
    shown_in(focused).filter(|_| is_drawing)
}

/// Shows a tile and focuses its map, so that the keyboard continues there.
pub(crate) fn read_at(tile: &Element) {
    let drawing = tile.closest(DRAWINGS).ok().flatten();
    if let Some(drawing) = drawing.and_then(|drawing| drawing.dyn_into::<HtmlElement>().ok()) {
        // While this is set, taking the focus does not select another tile.
        IS_POINTED.set(true);
        show(tile);
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

/// Escape hides content that appeared on hover or focus (WCAG 2.2, 1.4.13).
pub(crate) fn listen(document: &Document) {
    on(document, ev::pointerover, |_| show_tips(true));
    on(document, ev::focusin, |_| show_tips(true));
    on(document, ev::keydown, |event: KeyboardEvent| {
        if event.key() == "Escape" {
            show_tips(false);
        }
    });
}

fn show_tips(are_shown: bool) {
    if let Some(root) = document().document_element() {
        // This attribute name is valid.
        let _ = root.toggle_attribute_with_force(WITHOUT_TIPS, !are_shown);
    }
}
