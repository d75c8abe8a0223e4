//! What a press on a chart does: a click opens the point that is shown, a drag and a double click open nothing.

use super::{IS_POINTED, drawing_at, is_tile, point_at, tip};
use crate::{
    dom::{on, window},
    links::is_plain,
    navigation::{self, Address, Arrival},
};
use leptos::{ev, leptos_dom::helpers::TimeoutHandle, prelude::set_timeout_with_handle};
use std::{
    cell::{Cell, RefCell},
    time::Duration,
};
use web_sys::{Document, Element, KeyboardEvent, MouseEvent, PointerEvent, Url};

/// How far a pointer may move while its button is down, in pixels: farther is a drag.
const STILL: i32 = 6;

/// How long a click waits for a second one: a double click opens nothing.
const PAUSE: Duration = Duration::from_millis(300);

/// A button or a finger that went down.
#[derive(Clone, Copy)]
struct Press {
    place: (i32, i32),
    is_drag: bool,
    is_finger: bool,
    /// The finger shows a point that was not shown before: its tap is to read that, not to open it.
    is_for_reading: bool,
}

impl Press {
    fn moved(self, event: &MouseEvent) -> Self {
        let far = |from: i32, to: i32| (from - to).abs() > STILL;
        let is_far = far(self.place.0, event.client_x()) || far(self.place.1, event.client_y());
        Self {
            is_drag: self.is_drag || is_far,
            ..self
        }
    }
}

thread_local! {
    static PRESS: Cell<Option<Press>> = const { Cell::new(None) };
    /// What will be opened unless another click or a key comes first.
    static WAITING: RefCell<Option<TimeoutHandle>> = const { RefCell::new(None) };
}

pub(super) fn listen(document: &Document) {
    on(document, ev::pointerdown, |event: PointerEvent| {
        let before = tip::shown();
        point_at(&event);
        let shown = tip::shown().filter(|mark| !is_tile(mark));
        let is_finger = event.pointer_type() == "touch";
        PRESS.set(Some(Press {
            place: (event.client_x(), event.client_y()),
            is_drag: false,
            is_finger,
            is_for_reading: is_finger && shown.is_some() && shown != before,
        }));
    });
    on(document, ev::pointermove, |event: PointerEvent| {
        PRESS.set(PRESS.get().map(|press| press.moved(&event)));
    });
    on(document, ev::keydown, |_: KeyboardEvent| wait_no_longer());
    on(document, ev::click, |event: MouseEvent| {
        wait_no_longer();
        let press = PRESS.take();
        let mark = drawing_at(&event).as_ref().and_then(tip::shown_in);
        if let Some(mark) = mark {
            click(&event, press, mark);
        }
    });
}

fn click(event: &MouseEvent, press: Option<Press>, mark: Element) {
    // Assistive technology clicks without a pointer, on what is read.
    let Some(press) = press.map(|press| press.moved(event)) else {
        return open(&mark);
    };
    if press.is_drag || press.is_for_reading || !IS_POINTED.get() {
        return;
    }
    if !is_plain(event) {
        if event.button() == 0 && (event.ctrl_key() || event.meta_key()) {
            open_in_a_tab(&mark);
        }
        return;
    }
    // A finger reads with its first tap and opens with its second, however soon that comes.
    if press.is_finger {
        return open(&mark);
    }
    if event.detail() == 1 {
        let open = move || {
            WAITING.with(RefCell::take);
            if mark.is_connected() {
                open(&mark);
            }
        };
        let handle = set_timeout_with_handle(open, PAUSE).ok();
        WAITING.with(|waiting| *waiting.borrow_mut() = handle);
    }
}

/// Opens a point in a tab of its own, as such a click does with a link.
fn open_in_a_tab(mark: &Element) {
    if let Some(address) = leads_to(mark) {
        // A browser that opens no tab leaves the page as it is.
        let _ =
            window().open_with_url_and_target_and_features(address.as_str(), "_blank", "noopener");
    }
}

/// Goes where a point leads.
pub(super) fn open(mark: &Element) {
    if let Some(address) = leads_to(mark) {
        navigation::go(address, Arrival::New);
    }
}

fn leads_to(mark: &Element) -> Option<Address> {
    let href = mark.get_attribute("data-href")?;
    let url = Url::new_with_base(&href, &mark.base_uri().ok()??).ok()?;
    Address::of_page(&url)
}

fn wait_no_longer() {
    if let Some(handle) = WAITING.with(RefCell::take) {
        handle.clear();
    }
}
