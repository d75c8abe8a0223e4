//! What an issuer publishes, in memory: when it is fetched, and what happens if the issuer does not answer.
//!
//! Concurrent requests share one fetch. What the kept value lacks causes at most one fetch per minute, and after a failed fetch
//! the next one waits a few seconds.

use super::discovery::DiscoveryError;
use domain::text::chain;
use std::{
    sync::{Mutex as StdMutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::Mutex;

/// The pause between two fetches for what the kept value lacks.
const LACKING: Duration = Duration::from_secs(60);

/// The pause after a failed fetch.
pub(crate) const PAUSE: Duration = Duration::from_secs(5);

/// How long an expired value is still used if the issuer does not answer.
const LAST_RESORT: Duration = Duration::from_secs(24 * 3_600);

#[derive(Debug)]
pub(crate) struct Cached<T> {
    issuer: String,
    fresh_for: Duration,
    kept: StdMutex<Option<Kept<T>>>,
    /// Locked during a fetch.
    fetching: Mutex<Fetches>,
    /// The messages in the log after a failed fetch: if the expired value is used, and if there is none.
    messages: [&'static str; 2],
}

#[derive(Clone, Debug)]
struct Kept<T> {
    value: T,
    since: Instant,
}

#[derive(Debug, Default)]
struct Fetches {
    /// The time of the last fetch, if it failed.
    failed: Option<Instant>,
    /// The time of the last fetch although the value was fresh.
    for_lacking: Option<Instant>,
}

/// The issuer must be called and does not answer.
#[derive(Debug)]
pub(crate) struct NoAnswer;

impl<T: Clone> Cached<T> {
    pub(crate) fn new(issuer: &str, fresh_seconds: u64, messages: [&'static str; 2]) -> Self {
        Self {
            issuer: issuer.to_owned(),
            fresh_for: Duration::from_secs(fresh_seconds),
            kept: StdMutex::default(),
            fetching: Mutex::default(),
            messages,
        }
    }

    /// Returns what `found` takes from the value, which is fetched if it is expired or lacks this.
    pub(crate) async fn find<F>(
        &self,
        found: impl Fn(&T) -> Option<F>,
        fetch: impl Future<Output = Result<T, DiscoveryError>>,
    ) -> Result<Option<F>, NoAnswer> {
        let started = Instant::now();
        let find = |kept: Option<&Kept<T>>| found(&kept?.value);
        let kept = self.kept();
        let known = find(kept.as_ref());
        if known.is_some() && self.is_fresh(kept.as_ref()) {
            return Ok(known);
        }
        let mut last = match self.fetching.try_lock() {
            Ok(last) => last,
            // Another request is fetching: use the old value.
            Err(_) if known.is_some() => return Ok(known),
            Err(_) => self.fetching.lock().await,
        };
        if self.must_fetch(&mut last, started) {
            match fetch.await {
                Ok(value) => {
                    last.failed = None;
                    let since = Instant::now();
                    *self.kept.lock().unwrap_or_else(PoisonError::into_inner) =
                        Some(Kept { value, since });
                }
                Err(error) => {
                    last.failed = Some(Instant::now());
                    self.log(&error);
                }
            }
        }
        match find(self.kept().as_ref()) {
            // The issuer may have it: only a successful fetch would tell.
            None if last.failed.is_some() => Err(NoAnswer),
            found => Ok(found),
        }
    }

    /// Returns whether a request that started at `started` must fetch the value, because it is expired or lacks something.
    fn must_fetch(&self, last: &mut Fetches, started: Instant) -> bool {
        let kept = self.kept();
        let has_failed = |at: Instant| at >= started || at.elapsed() < PAUSE;
        if kept.as_ref().is_some_and(|kept| kept.since >= started)
            || last.failed.is_some_and(has_failed)
        {
            return false;
        }
        if !self.is_fresh(kept.as_ref()) {
            return true;
        }
        let is_due = last.for_lacking.is_none_or(|at| at.elapsed() >= LACKING);
        if is_due {
            last.for_lacking = Some(Instant::now());
        }
        is_due
    }

    fn is_fresh(&self, kept: Option<&Kept<T>>) -> bool {
        kept.is_some_and(|kept| kept.since.elapsed() < self.fresh_for)
    }

    fn kept(&self) -> Option<Kept<T>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.take_if(|kept| !is_good(kept.since.elapsed(), self.fresh_for));
        kept.clone()
    }

    fn log(&self, error: &DiscoveryError) {
        let (issuer, cause) = (&self.issuer, chain(error));
        let [expired, none] = self.messages;
        match self.kept() {
            Some(_) => tracing::warn!(issuer, cause, "{expired}"),
            None => tracing::error!(issuer, cause, "{none}"),
        }
    }
}

/// Returns whether a value of this age may be used if the issuer does not answer.
fn is_good(age: Duration, fresh_for: Duration) -> bool {
    age < fresh_for.saturating_add(LAST_RESORT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_keys_stay_valid_for_a_day_and_no_longer() {
        let hours = |hours: u64| Duration::from_secs(hours * 3_600);
        assert!(is_good(hours(25) - Duration::from_secs(1), hours(1)));
        assert!(!is_good(hours(25), hours(1)));
        assert!(is_good(hours(1), Duration::MAX));
    }
}
