//! Makes maps of files react: shows and opens the tile under the pointer, or the tile that the keyboard reads.
//!
//! The server draws the tiles of a map as elements `.tile` within `.map .drawing`, the largest first. `data-tip` is the text of
//! a tile, `data-href` the page that it opens. Tab and assistive technology see a map as one element; the tile that the
//! arrow keys select is announced.

mod press;

pub(crate) use press::stop_opening;

use crate::{
    dom::{all, around, on},
    notice,
    tip::{self, DRAWINGS, IS_POINTED},
};
use app::charts::step;
use leptos::ev;
use web_sys::{Document, Element, Event, FocusEvent, KeyboardEvent, PointerEvent};

pub(crate) fn listen(document: &Document) {
    press::listen(document);
    on(document, ev::pointermove, |event: PointerEvent| {
        match tile_at(&event) {
            Some(tile) => {
                IS_POINTED.set(true);
                tip::show(&tile);
            }
            // A tile that the keyboard reads stays.
            None if IS_POINTED.get() => tip::hide(),
            None => {}
        }
    });
    on(document, ev::focusin, |event: FocusEvent| {
        if let Some(drawing) = drawing_at(&event)
            && !(IS_POINTED.get() && tip::shown_in(&drawing).is_some())
        {
            read(current(&drawing));
        }
    });
    on(document, ev::focusout, |event: FocusEvent| {
        // A tile that the pointer shows stays: pressing a button of the pointer moves the focus too.
        if drawing_at(&event).is_some() && !IS_POINTED.get() {
            tip::hide();
        }
    });
    on(document, ev::keydown, |event: KeyboardEvent| {
        if event.key() == "Escape" {
            return tip::hide();
        }
        let drawing = drawing_at(&event).filter(|_| is_plain_key(&event));
        let Some(drawing) = drawing else { return };
        if event.key() == "Enter" {
            if let Some(tile) = tip::shown_in(&drawing) {
                press::open(&tile);
            }
        } else if let Some(next) = by_key(&drawing, &event.key()) {
            event.prevent_default();
            read(Some(next));
        }
    });
}

/// Makes each map focusable, and declares to assistive technology that the map handles keys. Without scripts a map is a picture,
/// and the table next to it has the links.
pub(crate) fn prepare(part: &Element) {
    tip::forget_removed();
    for drawing in all(part, DRAWINGS) {
        // These attribute names are valid.
        let _ = drawing.set_attribute("tabindex", "0");
        let _ = drawing.set_attribute("role", "application");
        let _ = drawing.set_attribute("aria-roledescription", "chart");
        if let Some(keys) = drawing.get_attribute("data-help") {
            let _ = drawing.set_attribute("aria-describedby", &keys);
        }
    }
}

fn drawing_at(event: &Event) -> Option<Element> {
    around(event, DRAWINGS)
}

fn tile_at(event: &Event) -> Option<Element> {
    around(event, ".map .tile")
}

/// Shows and announces the tile that the keyboard reads.
fn read(tile: Option<Element>) {
    let Some(tile) = tile else { return };
    IS_POINTED.set(false);
    tip::show(&tile);
    if let Some(text) = tile.get_attribute("data-tip") {
        notice::announce(&text.replace('\n', ", "));
    }
}

/// Whether a key is pressed alone. The browser handles combinations, such as Alt and an arrow for Back.
fn is_plain_key(event: &KeyboardEvent) -> bool {
    !(event.meta_key() || event.ctrl_key() || event.shift_key() || event.alt_key())
}

/// The tile where reading continues: the tile that was shown last, else the largest one.
fn current(drawing: &Element) -> Option<Element> {
    tip::last_in(drawing).or_else(|| all(drawing, ".tile").next())
}

fn by_key(drawing: &Element, key: &str) -> Option<Element> {
    let tile = current(drawing)?;
    let tiles: Vec<_> = all(drawing, ".tile").collect();
    let here = tiles.iter().position(|other| *other == tile)?;
    let last = tiles.len().saturating_sub(1);
    tiles.get(step(here, last, key)?).cloned()
}
