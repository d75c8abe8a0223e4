//! Opens the point that is clicked. A drag and a double click open nothing.

use super::{
    drawing::{drawing_at, is_tile},
    pointer::point_at,
};
use crate::{
    address::Address,
    dom::{is_plain_click, on, window},
    navigation::{self, Arrival},
    timer::Timer,
    tip::{self, IS_POINTED},
};
use leptos::ev;
use std::{cell::Cell, time::Duration};
use web_sys::{Document, Element, KeyboardEvent, MouseEvent, PointerEvent, Url};

/// How far a pointer may move between press and release of a click, in pixels. Farther is a drag.
const STILL: i32 = 6;

/// How long a click waits for a second one, which would make it a double click.
const PAUSE: Duration = Duration::from_millis(300);

/// A pointer's button or a finger that is down.
#[derive(Clone, Copy)]
struct Press {
    start: (i32, i32),
    is_drag: bool,
    is_finger: bool,
    /// The finger shows a point that was not shown before. This tap reads the point and does not open it.
    is_for_reading: bool,
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
    /// Opens the clicked point, unless another click or a key stops it.
    static OPENING: Timer = const { Timer::new() };
}

pub(super) fn listen(document: &Document) {
    on(document, ev::pointerdown, |event: PointerEvent| {
        let before = tip::shown();
        point_at(&event);
        let shown = tip::shown().filter(|mark| !is_tile(mark));
        let is_finger = event.pointer_type() == "touch";
        PRESS.set(Some(Press {
            start: (event.client_x(), event.client_y()),
            is_drag: false,
            is_finger,
            is_for_reading: is_finger && shown.is_some() && shown != before,
        }));
    });
    on(document, ev::pointermove, |event: PointerEvent| {
        PRESS.set(PRESS.get().map(|press| press.moved(&event)));
    });
    on(document, ev::keydown, |_: KeyboardEvent| {
        OPENING.with(Timer::stop)
    });
    on(document, ev::click, |event: MouseEvent| {
        OPENING.with(Timer::stop);
        let press = PRESS.take();
        let mark = drawing_at(&event).as_ref().and_then(tip::shown_in);
        if let Some(mark) = mark {
            click(&event, press, mark);
        }
    });
}

fn click(event: &MouseEvent, press: Option<Press>, mark: Element) {
    // Assistive technology clicks the point that it reads, without a pointer.
    let Some(press) = press.map(|press| press.moved(event)) else {
        return open(&mark);
    };
    if press.is_drag || press.is_for_reading || !IS_POINTED.get() {
        return;
    }
    if !is_plain_click(event) {
        if event.button() == 0 && (event.ctrl_key() || event.meta_key()) {
            open_in_new_tab(&mark);
        }
        return;
    }
    // A finger's first tap reads and its second opens, however quickly it follows.
    if press.is_finger {
        return open(&mark);
    }
    if event.detail() == 1 {
        let open = move || {
            if mark.is_connected() {
                open(&mark);
            }
        };
        OPENING.with(|opening| opening.start(PAUSE, open));
    }
}

/// Opens a point in a new tab, as the browser does for the same click on a link.
fn open_in_new_tab(mark: &Element) {
    if let Some(address) = address_of(mark) {
        // If the browser opens no tab, the page stays as it is.
        let _ =
            window().open_with_url_and_target_and_features(address.as_str(), "_blank", "noopener");
    }
}

/// Opens the page of a point.
pub(super) fn open(mark: &Element) {
    if let Some(address) = address_of(mark) {
        navigation::go(address, Arrival::New);
    }
}

fn address_of(mark: &Element) -> Option<Address> {
    let href = mark.get_attribute("data-href")?;
    let url = Url::new_with_base(&href, &mark.base_uri().ok()??).ok()?;
    Address::of_page(&url)
}
