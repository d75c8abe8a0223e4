//! The clock, in the database's units.

use chrono::Utc;
use domain::Timestamp;
use std::sync::atomic::{AtomicI64, Ordering};

/// How far the clocks of services that share a database may differ, in microseconds. Within this limit, an upload comes directly
/// after the previous upload, whatever its own clock shows.
pub(super) const MOST_AHEAD: i64 = 5 * 60 * 1_000_000;

/// Now, in whole microseconds.
#[expect(clippy::disallowed_methods, reason = "this is the clock")]
pub fn now() -> Timestamp {
    Timestamp(Utc::now().timestamp_micros())
}

/// Returns now, but later than any time returned before, even if the system clock was set back a little: the order of times is
/// the order of arrival.
pub(crate) fn next_moment() -> Timestamp {
    static LAST: AtomicI64 = AtomicI64::new(0);
    let now = now().0;
    let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| {
        Some(following(last, now))
    });
    // The update always succeeds and returns the previous time.
    Timestamp(following(last.unwrap_or(0), now))
}

/// Ignores a `last` that is further ahead than clocks may differ: it came from a wrong clock.
fn following(last: i64, now: i64) -> i64 {
    if last > now.saturating_add(MOST_AHEAD) {
        return now;
    }
    now.max(last + 1)
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
