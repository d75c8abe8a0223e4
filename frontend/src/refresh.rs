//! Renewing the page that is shown, for as long as it asks for it.

use crate::{dom::document, navigation};
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::set_timeout_with_handle};
use std::{
    cell::{Cell, RefCell},
    time::Duration,
};
use web_sys::Element;

thread_local! {
    static SECONDS: Cell<u32> = const { Cell::new(0) };
    static NEXT: RefCell<Option<TimeoutHandle>> = const { RefCell::new(None) };
}

/// Starts when the page asks for it.
pub(crate) fn prepare(part: &Element) {
    let asking = part.query_selector("[data-refresh]").ok().flatten();
    let seconds = asking.and_then(|asking| asking.get_attribute("data-refresh")?.parse().ok());
    if let Some(seconds) = seconds {
        every(seconds);
    }
}

/// Renews the page in so many seconds, unless another one was gone to; the renewed one asks for more if it wants to.
fn every(seconds: u32) {
    stop();
    SECONDS.set(seconds);
    let pause = Duration::from_secs(seconds.max(1).into());
    let renew = move || match document().hidden() {
        true => every(seconds),
        false => navigation::renew(),
    };
    let handle = set_timeout_with_handle(renew, pause).ok();
    NEXT.with(|next| *next.borrow_mut() = handle);
}

/// Renews it once more after the same time.
pub(crate) fn again() {
    every(SECONDS.get());
}

/// Another page is to be shown.
pub(crate) fn stop() {
    if let Some(handle) = NEXT.with(RefCell::take) {
        handle.clear();
    }
}
