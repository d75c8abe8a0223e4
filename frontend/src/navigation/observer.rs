//! Passes page events to the code that reacts, so that navigation does not import that code.

use super::arrival::Arrival;
use std::cell::Cell;
use web_sys::Element;

/// What happens to the page that is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PageEvent<'a> {
    /// A page was requested. It may be the page that is shown.
    Requested(Arrival),
    /// The main landmark, or the part of it given here, has new content. Focus and scroll position are set after this event.
    Shown(&'a Element),
    /// A renewal failed or brought nothing new: the content stays.
    Unchanged,
}

pub(crate) type Observer = fn(PageEvent<'_>);

thread_local! {
    static OBSERVER: Cell<Observer> = const { Cell::new(|_| {}) };
}

pub(super) fn set(observer: Observer) {
    OBSERVER.set(observer);
}

pub(super) fn tell(event: PageEvent<'_>) {
    OBSERVER.get()(event);
}
