//! Going to another page without a reload: it is fetched, and takes the place of what the main landmark holds.

mod address;
mod fetch;
mod focus;
mod history;
mod swap;

pub(crate) use address::Address;

use crate::{dom::on, notice, refresh, typing};
use fetch::Fetched;
use leptos::ev;
use std::cell::{Cell, RefCell};
use wasm_bindgen_futures::spawn_local;
use web_sys::{AbortController, ScrollRestoration, Window};

/// How one comes to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// By a link or a form: it is a step of its own in the history, and is read from its top.
    New,
    /// By choosing something else of what it shows: a step of the history too, but the focus and the scroll position stay.
    Chosen,
    /// By typing what it should show: as before, but only the first letter is a step.
    Typed,
    /// By the browser's buttons: where one had been.
    Back,
    /// It is the same page, as it is now.
    Renewed,
}

thread_local! {
    /// Counts the pages that were asked for: an answer that is overtaken is not shown.
    static LATEST: Cell<u32> = const { Cell::new(0) };
    static BEFORE: Cell<Arrival> = const { Cell::new(Arrival::New) };
    static UNDER_WAY: RefCell<Option<AbortController>> = const { RefCell::new(None) };
}

/// Minds the browser's buttons.
pub(crate) fn listen(window: &Window) {
    // What is shown first is a step that can be come back to.
    let _ = Address::here();
    if let Ok(history) = window.history() {
        // The page has to be there before it is scrolled. Where that cannot be said, the browser tries by itself.
        let _ = history.set_scroll_restoration(ScrollRestoration::Manual);
    }
    // The page was loaded again, or come back to from elsewhere.
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

/// Shows the page that is shown as it is now.
pub(crate) fn renew() {
    if let Some(address) = Address::here() {
        go(address, Arrival::Renewed);
    }
}

/// Goes to a page.
pub(crate) fn go(address: Address, arrival: Arrival) {
    let abort = AbortController::new().ok();
    let signal = abort.as_ref().map(AbortController::signal);
    if let Some(before) = UNDER_WAY.with(|under_way| under_way.replace(abort)) {
        before.abort();
    }
    let turn = LATEST.get() + 1;
    LATEST.set(turn);
    refresh::stop();
    if !matches!(arrival, Arrival::Typed | Arrival::Renewed) {
        typing::wait_no_longer();
    }
    if arrival != Arrival::Renewed {
        swap::set_busy(true);
        notice::clear();
    }
    spawn_local(async move {
        let fetched = fetch::page(&address, signal.as_ref()).await;
        if LATEST.get() != turn {
            return;
        }
        swap::set_busy(false);
        match fetched {
            Fetched::Page { document, address } => {
                let is_step = is_step(arrival, &address);
                if arrival != Arrival::Renewed {
                    BEFORE.set(arrival);
                }
                swap::show(&document, &address, arrival, is_step);
            }
            Fetched::NotOurs => address.load(),
            // It is tried again by itself.
            Fetched::Unreachable if arrival == Arrival::Renewed => refresh::again(),
            Fetched::Unreachable => notice::not_reached(&address),
        }
    });
}

/// Whether the history gets a step for it, so that Back leads to what is shown now.
fn is_step(arrival: Arrival, address: &Address) -> bool {
    match arrival {
        Arrival::New | Arrival::Chosen => !address.is_shown_already(),
        Arrival::Typed => BEFORE.get() != Arrival::Typed && !address.is_shown_already(),
        Arrival::Back | Arrival::Renewed => false,
    }
}
