//! The clock, as the database stores it.

use super::ahead::MOST_AHEAD;
use chrono::Utc;
use domain::Timestamp;
use std::sync::atomic::{AtomicI64, Ordering};

/// Now, in whole microseconds.
pub(crate) fn now() -> Timestamp {
    Timestamp(Utc::now().timestamp_micros())
}

/// Now, but later than any time given before, even if the system's clock was set back a little: the order of times is the
/// order of arrival.
pub(crate) fn next_moment() -> Timestamp {
    static LAST: AtomicI64 = AtomicI64::new(0);
    let now = now().0;
    let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| {
        Some(following(last, now))
    });
    // The update never declines; what it returns is the time before.
    Timestamp(following(last.unwrap_or(0), now))
}

/// A time that is further ahead than clocks are apart is of a clock that was wrong, and counts no longer.
fn following(last: i64, now: i64) -> i64 {
    match last > now.saturating_add(MOST_AHEAD) {
        true => now,
        false => now.max(last + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_increase_unless_a_clock_was_far_ahead() {
        assert_eq!(following(0, 100), 100);
        assert_eq!(following(100, 100), 101);
        assert_eq!(following(100 + MOST_AHEAD, 100), 101 + MOST_AHEAD);
        assert_eq!(following(101 + MOST_AHEAD, 100), 100);
    }
}
