//! Opens the tile that is clicked. A drag and a double click open nothing.

use super::{drawing_at, tile_at};
use crate::{
    address::Address,
    dom::{is_plain_click, on, open_in_tab},
    navigation::{self, Arrival},
    tip,
};
use app::browser::Timer;
use leptos::ev;
use std::{cell::Cell, time::Duration};
use web_sys::{Document, Element, KeyboardEvent, MouseEvent, PointerEvent};

/// How far a pointer may move between press and release of a click, in pixels. Farther is a drag.
const STILL: i32 = 6;

/// How long a click waits for a second click, which would make it a double click.
const PAUSE: Duration = Duration::from_millis(300);

/// A pointer's button or a finger that is down.
#[derive(Clone, Copy)]
struct Press {
    start: (i32, i32),
    is_drag: bool,
    is_finger: bool,
}

impl Press {
    fn moved(self, event: &MouseEvent) -> Self {
        let far = |from: i32, to: i32| (from - to).abs() > STILL;
        let is_far = far(self.start.0, event.client_x()) || far(self.start.1, event.client_y());
        Self {
            is_drag: self.is_drag || is_far,
            ..self
        }
    }
}

thread_local! {
    static PRESS: Cell<Option<Press>> = const { Cell::new(None) };
    /// The timer that opens the clicked tile, unless another click or a key stops it.
    static OPENING: Timer = const { Timer::new() };
}

pub(super) fn listen(document: &Document) {
    on(document, ev::pointerdown, |event: PointerEvent| {
        PRESS.set(Some(Press {
            start: (event.client_x(), event.client_y()),
            is_drag: false,
            is_finger: event.pointer_type() == "touch",
        }));
    });
    on(document, ev::pointermove, |event: PointerEvent| {
        PRESS.set(PRESS.get().map(|press| press.moved(&event)));
    });
    on(document, ev::keydown, |_: KeyboardEvent| stop_opening());
    on(document, ev::click, |event: MouseEvent| {
        stop_opening();
        let press = PRESS.take().map(|press| press.moved(&event));
        // Assistive technology clicks the map without a pointer, to open the tile that it reads.
        let Some(press) = press.filter(|_| event.detail() > 0) else {
            let read = drawing_at(&event).as_ref().and_then(tip::shown_in);
            return read.iter().for_each(open);
        };
        if let Some(tile) = tile_at(&event).filter(|_| !press.is_drag) {
            click(&event, press, tile);
        }
    });
}

/// Cancels the click that waits for a second click.
pub(crate) fn stop_opening() {
    OPENING.with(Timer::stop);
}

fn click(event: &MouseEvent, press: Press, tile: Element) {
    if !is_plain_click(event) {
        if event.button() == 0 && (event.ctrl_key() || event.meta_key()) {
            // As the browser does for the same click on a link.
            if let Some(address) = address_of(&tile) {
                open_in_tab(address.as_str());
            }
        }
        return;
    }
    if press.is_finger {
        return open(&tile);
    }
    if event.detail() == 1 {
        let open = move || {
            if tile.is_connected() {
                open(&tile);
            }
        };
        OPENING.with(|opening| opening.start(PAUSE, open));
    }
}

pub(super) fn open(tile: &Element) {
    if let Some(address) = address_of(tile) {
        navigation::go(address, Arrival::New);
    }
}

fn address_of(tile: &Element) -> Option<Address> {
    Address::named(&tile.get_attribute("data-href")?)
}
