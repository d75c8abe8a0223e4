//! Renewing the page that is shown, for as long as it asks for it.

use super::navigation;
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::set_timeout_with_handle};
use std::{
    cell::{Cell, RefCell},
    time::Duration,
};

thread_local! {
    static SECONDS: Cell<u32> = const { Cell::new(0) };
    static NEXT: RefCell<Option<TimeoutHandle>> = const { RefCell::new(None) };
}

/// Renews the page in so many seconds, unless another one was gone to; the renewed one asks for more if it wants to.
pub(crate) fn every(seconds: u32) {
    stop();
    SECONDS.set(seconds);
    let pause = Duration::from_secs(seconds.max(1).into());
    let renew = move || match super::document().hidden() {
        true => every(seconds),
        false => navigation::renew(),
    };
    let handle = set_timeout_with_handle(renew, pause).ok();
    NEXT.with(|next| *next.borrow_mut() = handle);
}

/// Renews it once more after the same time.
pub(super) fn again() {
    every(SECONDS.get());
}

/// Another page is to be shown.
pub(super) fn stop() {
    if let Some(handle) = NEXT.with(RefCell::take) {
        handle.clear();
    }
}
