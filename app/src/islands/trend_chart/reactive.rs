//! Closures that follow the state of the chart. They are boxed, because each type of closure adds a copy of the code around it.

use leptos::prelude::*;
use web_sys::MouseEvent;

/// A text of the page that follows the state.
pub(super) fn text(now: impl Fn() -> String + Send + 'static) -> Box<dyn Fn() -> String + Send> {
    Box::new(now)
}

/// A flag of the page that follows the state.
pub(super) fn flag(now: impl Fn() -> bool + Send + 'static) -> Box<dyn Fn() -> bool + Send> {
    Box::new(now)
}

/// Calls `changed` once the chart is hydrated, and after each change of the state that it reads.
pub(super) fn follow(changed: impl FnMut() + 'static) {
    let changed: Box<dyn FnMut()> = Box::new(changed);
    Effect::new(changed);
}

pub(super) fn clicked(handle: impl FnMut(MouseEvent) + 'static) -> Box<dyn FnMut(MouseEvent)> {
    Box::new(handle)
}
