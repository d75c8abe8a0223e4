//! The functions of the page that islands call. `frontend` provides them, so that islands do not import `frontend`.

use std::cell::Cell;

/// The functions of the page around an island.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Goes to a page of the dashboard.
    pub open: fn(&str),
    /// Goes to another choice of the page that is shown. Focus and scroll position stay.
    pub choose: fn(&str),
    /// Opens a page in a new tab.
    pub open_in_tab: fn(&str),
    /// The path and the query of the address bar.
    pub here: fn() -> Option<String>,
    /// Writes the address of what is shown now into the address bar. Back returns to the previous address.
    pub push: fn(&str),
    /// Announces a change to assistive technology.
    pub announce: fn(&str),
}

thread_local! {
    static HOST: Cell<Option<Host>> = const { Cell::new(None) };
}

/// Sets the functions that islands call. Without them, islands work but do not change the page around them.
pub fn set_host(host: Host) {
    HOST.set(Some(host));
}

pub(super) fn open(address: &str) {
    call(|host| (host.open)(address));
}

pub(super) fn choose(address: &str) {
    call(|host| (host.choose)(address));
}

pub(super) fn open_in_tab(address: &str) {
    call(|host| (host.open_in_tab)(address));
}

/// The path and the query of the address bar; `None` outside of a browser.
pub(super) fn here() -> Option<String> {
    HOST.get().and_then(|host| (host.here)())
}

pub(super) fn push(address: &str) {
    call(|host| (host.push)(address));
}

pub(super) fn announce(text: &str) {
    call(|host| (host.announce)(text));
}

fn call(with: impl FnOnce(Host)) {
    if let Some(host) = HOST.get() {
        with(host);
    }
}
