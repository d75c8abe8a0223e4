//! Timers: a debounce, a timeout, a repetition.

use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::set_timeout_with_handle};
use std::{cell::RefCell, time::Duration};

/// Has at most one call pending.
pub(crate) struct Timer(RefCell<Option<TimeoutHandle>>);

impl Timer {
    pub(crate) const fn new() -> Self {
        Self(RefCell::new(None))
    }

    /// Calls `then` after `pause`, in place of the pending call.
    pub(crate) fn start(&self, pause: Duration, then: impl FnOnce() + 'static) {
        self.stop();
        self.0.replace(set_timeout_with_handle(then, pause).ok());
    }

    /// Cancels the pending call.
    pub(crate) fn stop(&self) {
        if let Some(handle) = self.0.take() {
            handle.clear();
        }
    }
}
