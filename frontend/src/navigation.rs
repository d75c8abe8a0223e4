//! Goes to another page without a reload: fetches it and replaces the content of the main landmark.
//!
//! Not with leptos's `islands-router`, for the reasons in `docs/src/decisions.md`.

mod arrival;
mod fetch;
mod focus;
mod history;
mod observer;
mod swap;

pub(crate) use {arrival::Arrival, observer::PageEvent};

use crate::{address::Address, dom::on, notice};
use fetch::Fetched;
use leptos::ev;
use observer::{Observer, tell};
use std::cell::{Cell, RefCell};
use wasm_bindgen_futures::spawn_local;
use web_sys::{AbortController, ScrollRestoration, Window};

thread_local! {
    /// Counts the requested pages: the answer to an older request is not shown.
    static LATEST: Cell<u32> = const { Cell::new(0) };
    static BEFORE: Cell<Arrival> = const { Cell::new(Arrival::New) };
    static PENDING: RefCell<Option<AbortController>> = const { RefCell::new(None) };
}

/// Handles Back and Forward, and reports page changes to `observer`.
pub(crate) fn start(window: &Window, observer: Observer) {
    observer::set(observer);
    // Back can return to the first page too.
    let _ = Address::here();
    if let Ok(history) = window.history() {
        // A page has to be shown before it is scrolled. Browsers without this setting scroll themselves.
        let _ = history.set_scroll_restoration(ScrollRestoration::Manual);
    }
    // The page was reloaded, or the reader returned from another site.
    history::scroll_back();
    on(window, ev::scroll, |_| history::remember());
    on(window, ev::popstate, |_| {
        if let Some(address) = Address::here() {
            if address.is_shown_already() {
                return history::scroll_back();
            }
            go(address, Arrival::Back);
        }
    });
}

/// Writes the address of what an island shows now into the address bar, as a new step of the history.
pub(crate) fn push(address: &Address) {
    // A page that is loading would replace what the island shows.
    if let Some(pending) = PENDING.take() {
        pending.abort();
        LATEST.set(LATEST.get() + 1);
        swap::set_busy(None);
        tell(PageEvent::Unchanged);
    }
    history::enter(address, !address.is_shown_already());
}

/// Fetches the page that is shown again.
pub(crate) fn renew() {
    if let Some(address) = Address::here() {
        go(address, Arrival::Renewed);
    }
}

pub(crate) fn go(address: Address, arrival: Arrival) {
    let abort = AbortController::new().ok();
    let signal = abort.as_ref().map(AbortController::signal);
    if let Some(before) = PENDING.replace(abort) {
        before.abort();
    }
    let number = LATEST.get() + 1;
    LATEST.set(number);
    tell(PageEvent::Requested(arrival));
    if arrival != Arrival::Renewed {
        swap::set_busy(Some(arrival));
        notice::clear();
    }
    spawn_local(async move {
        let fetched = fetch::page(&address, signal.as_ref()).await;
        if LATEST.get() != number {
            return;
        }
        swap::set_busy(None);
        match fetched {
            Fetched::Page { document, address } => {
                let is_step = is_step(arrival, &address);
                if arrival != Arrival::Renewed {
                    BEFORE.set(arrival);
                }
                swap::show(&document, &address, arrival, is_step);
            }
            Fetched::NotOurs => address.load(),
            Fetched::Unreachable if arrival == Arrival::Renewed => tell(PageEvent::Unchanged),
            Fetched::Unreachable => notice::not_reached(address.as_str()),
        }
    });
}

/// Whether the address is a new step of the history, so that Back leads to the page that is shown now.
fn is_step(arrival: Arrival, address: &Address) -> bool {
    match arrival {
        Arrival::New | Arrival::Chosen | Arrival::Sorted => !address.is_shown_already(),
        Arrival::Typed => BEFORE.get() != Arrival::Typed && !address.is_shown_already(),
        Arrival::Back | Arrival::Renewed => false,
    }
}
