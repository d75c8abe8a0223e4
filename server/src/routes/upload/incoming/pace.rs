//! How fast a client must send. Only the time in which the service waits for the client counts.

use crate::http;
use config::Limits;
use ingest::Slowness;
use std::time::Duration;

/// The bytes that a client has sent, and how long the service waited for it.
pub(super) struct Pace {
    limits: Limits,
    has_begun: bool,
    total_wait: Duration,
    /// Judged once the waiting adds up to the longest allowed pause.
    pace: http::pace::Pace,
}

impl Pace {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            limits: limits.clone(),
            has_begun: false,
            total_wait: Duration::ZERO,
            pace: http::pace::Pace::new(
                Duration::from_secs(limits.upload_idle_seconds),
                limits.min_upload_bytes_per_second,
            ),
        }
    }

    pub(super) fn timeout(&self) -> Duration {
        Duration::from_secs(if self.has_begun {
            self.limits.upload_idle_seconds
        } else {
            self.limits.upload_start_seconds
        })
    }

    pub(super) fn timed_out(&self) -> Slowness {
        if self.has_begun {
            Slowness::Paused(self.limits.upload_idle_seconds)
        } else {
            Slowness::NeverBegan(self.limits.upload_start_seconds)
        }
    }

    pub(super) fn record_chunk(&mut self, bytes: u64, waited: Duration) -> Result<(), Slowness> {
        if !std::mem::replace(&mut self.has_begun, true) {
            return Ok(());
        }
        self.total_wait += waited;
        let most = self.limits.max_upload_seconds;
        if self.total_wait > Duration::from_secs(most) {
            return Err(Slowness::Endless(most));
        }
        let judged = self.pace.took(bytes, waited);
        judged.map_err(|_| Slowness::Dripped(self.limits.min_upload_bytes_per_second))
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
        assert_eq!(pace.timed_out(), Slowness::NeverBegan(5));
        assert_eq!(pace.record_chunk(1, Duration::from_secs(4)), Ok(()));
        pace
    }

    #[test]
    fn a_client_that_has_begun_may_pause_longer() {
        let pace = pace();
        assert_eq!(pace.timeout(), Duration::from_secs(10));
        assert_eq!(pace.timed_out(), Slowness::Paused(10));
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
