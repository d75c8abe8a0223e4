//! What islands ask of the page around them. `frontend` provides it, so that islands do not import `frontend`.

use std::cell::Cell;

/// The page around an island. What is not provided does nothing: islands work without it, but do not change the page.
pub trait Host {
    /// Goes to a page of the dashboard.
    fn open(&self, _address: &str) {}

    /// Goes to another choice of the page that is shown. Focus and scroll position stay.
    fn choose(&self, _address: &str) {}

    /// The path and the query of the address bar; `None` outside of a browser.
    fn here(&self) -> Option<String> {
        None
    }

    /// Writes the address of what is shown now into the address bar. Back returns to the previous address.
    fn push(&self, _address: &str) {}

    /// Announces a change to assistive technology.
    fn announce(&self, _text: &str) {}
}

struct NoPage;

impl Host for NoPage {}

thread_local! {
    static HOST: Cell<&'static dyn Host> = const { Cell::new(&NoPage) };
}

/// Sets the page that islands call.
pub fn set_host(host: &'static dyn Host) {
    HOST.set(host);
}

pub(super) fn host() -> &'static dyn Host {
    HOST.get()
}
