//! How fast a client has to send. Only the time counts in which the service waits for it, and not the other way round.

use crate::{config::Limits, ingest::Slowness};
use std::time::Duration;

/// What a client has sent lately, and how long it was waited for.
pub(super) struct Pace {
    start: u64,
    idle: u64,
    min_bytes_per_second: u64,
    in_all: u64,
    has_begun: bool,
    waited: Duration,
    waited_in_all: Duration,
    received: u64,
}

impl Pace {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            start: limits.upload_start_seconds,
            idle: limits.upload_idle_seconds,
            min_bytes_per_second: limits.min_upload_bytes_per_second,
            in_all: limits.max_upload_seconds,
            has_begun: false,
            waited: Duration::ZERO,
            waited_in_all: Duration::ZERO,
            received: 0,
        }
    }

    /// How long the next chunk is waited for.
    pub(super) fn timeout(&self) -> Duration {
        Duration::from_secs(if self.has_begun {
            self.idle
        } else {
            self.start
        })
    }

    /// What it means that no chunk came for so long.
    pub(super) fn nothing_came(&self) -> Slowness {
        match self.has_begun {
            true => Slowness::Paused(self.idle),
            false => Slowness::NeverBegan(self.start),
        }
    }

    /// A chunk came. It is judged together with those before it, once they were waited for as long as a client may pause.
    pub(super) fn record_chunk(&mut self, bytes: u64, waited: Duration) -> Result<(), Slowness> {
        if !std::mem::replace(&mut self.has_begun, true) {
            return Ok(());
        }
        self.waited_in_all += waited;
        if self.waited_in_all > Duration::from_secs(self.in_all) {
            return Err(Slowness::Endless(self.in_all));
        }
        self.waited += waited;
        self.received += bytes;
        if self.waited < Duration::from_secs(self.idle) {
            return Ok(());
        }
        let expected = u128::from(self.min_bytes_per_second) * self.waited.as_millis() / 1_000;
        if u128::from(self.received) < expected {
            return Err(Slowness::Dripped(self.min_bytes_per_second));
        }
        self.waited = Duration::ZERO;
        self.received = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace() -> Pace {
        let mut pace = Pace::new(&Limits {
            upload_start_seconds: 5,
            upload_idle_seconds: 10,
            min_upload_bytes_per_second: 100,
            max_upload_seconds: 1_000,
            ..Limits::default()
        });
        assert_eq!(pace.timeout(), Duration::from_secs(5));
        assert_eq!(pace.nothing_came(), Slowness::NeverBegan(5));
        assert_eq!(pace.record_chunk(1, Duration::from_secs(4)), Ok(()));
        pace
    }

    #[test]
    fn a_client_that_has_begun_may_pause_longer() {
        let pace = pace();
        assert_eq!(pace.timeout(), Duration::from_secs(10));
        assert_eq!(pace.nothing_came(), Slowness::Paused(10));
    }

    #[test]
    fn a_sender_of_a_byte_now_and_then_becomes_too_slow() {
        let mut pace = pace();
        for _ in 0..9 {
            assert_eq!(pace.record_chunk(1, Duration::from_secs(1)), Ok(()));
        }
        assert_eq!(
            pace.record_chunk(1, Duration::from_secs(1)),
            Err(Slowness::Dripped(100))
        );
    }

    #[test]
    fn a_client_at_the_required_pace_may_use_the_whole_upload_time() {
        let mut pace = pace();
        for _ in 0..100 {
            assert_eq!(pace.record_chunk(1_000, Duration::from_secs(10)), Ok(()));
        }
        assert_eq!(
            pace.record_chunk(1_000, Duration::from_secs(10)),
            Err(Slowness::Endless(1_000))
        );
    }

    #[test]
    fn a_client_without_waiting_time_is_never_slow() {
        let mut pace = pace();
        for _ in 0..1_000 {
            assert_eq!(pace.record_chunk(1, Duration::ZERO), Ok(()));
        }
    }
}
