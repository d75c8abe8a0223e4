//! The clock, as the database stores it.

use app::domain::Timestamp;
use chrono::Utc;
use std::sync::atomic::{AtomicI64, Ordering};

/// Now, in whole microseconds.
pub(crate) fn now() -> Timestamp {
    Timestamp(Utc::now().timestamp_micros())
}

/// Now, but later than any time given before, even if the system's clock was set back: the order of times is the order
/// of arrival.
pub(crate) fn next_moment() -> Timestamp {
    static LAST: AtomicI64 = AtomicI64::new(0);
    let now = now().0;
    let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| {
        Some(now.max(last + 1))
    });
    // The update never declines; what it returns is the time before.
    Timestamp(now.max(last.unwrap_or(0) + 1))
}
