//! How fast a client must read or send. Only the time in which the service waits for the client counts.

use std::time::Duration;

/// The bytes that a client has read or sent, and how long the service waited for it.
#[derive(Debug)]
pub(crate) struct Pace {
    window: Duration,
    min_bytes_per_second: u64,
    waited: Duration,
    taken: u64,
}

impl Pace {
    /// Requires at least `min_bytes_per_second`, on average over a `window` of waiting.
    pub(crate) fn new(window: Duration, min_bytes_per_second: u64) -> Self {
        Self {
            window,
            min_bytes_per_second,
            waited: Duration::ZERO,
            taken: 0,
        }
    }

    /// Adds bytes that the client read or sent after the service waited for it. The pace is judged once the waiting adds up to
    /// the window, since a system often reads nothing for a while and then much at once.
    pub(crate) fn took(&mut self, bytes: u64, waited: Duration) -> Result<(), TooSlow> {
        self.taken = self.taken.saturating_add(bytes);
        self.waited += waited;
        if self.waited < self.window {
            return Ok(());
        }
        let expected = u128::from(self.min_bytes_per_second) * self.waited.as_millis() / 1_000;
        if u128::from(self.taken) < expected {
            return Err(TooSlow);
        }
        self.waited = Duration::ZERO;
        self.taken = 0;
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooSlow;

#[cfg(test)]
mod tests {
    use super::*;

    fn pace() -> Pace {
        Pace::new(Duration::from_secs(30), 1_000)
    }

    #[test]
    fn a_reader_of_two_kilobytes_now_and_then_becomes_too_slow() {
        let (mut pace, pause) = (pace(), Duration::from_secs(15));
        assert_eq!(pace.took(2_000, pause), Ok(()));
        assert_eq!(pace.took(2_000, pause), Err(TooSlow));
    }

    #[test]
    fn a_client_at_the_required_pace_may_read_unevenly() {
        let mut pace = pace();
        for _ in 0..100 {
            assert_eq!(pace.took(45_000, Duration::from_secs(40)), Ok(()));
            assert_eq!(pace.took(1, Duration::from_secs(1)), Ok(()));
            assert_eq!(pace.took(1, Duration::ZERO), Ok(()));
            assert_eq!(pace.took(45_000, Duration::from_secs(30)), Ok(()));
        }
    }

    #[test]
    fn a_client_without_waiting_time_is_never_slow() {
        let mut pace = pace();
        for _ in 0..1_000 {
            assert_eq!(pace.took(1, Duration::ZERO), Ok(()));
        }
    }
}
