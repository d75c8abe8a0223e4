//! The cached keys of one issuer: when they are fetched, and what happens if the issuer does not answer.
//!
//! Concurrent identities share one fetch. An unknown key causes at most one fetch per minute, and after a failed fetch
//! the next one waits a few seconds.

use super::{
    discovery::{self, DiscoveryError},
    key_set::{KeySet, WantedKey},
};
use crate::error::{AccessError, Kind};
use config::access::{AccessLimits, Issuer};
use domain::text::chain;
use forges::outbound::Outbound;
use jsonwebtoken::DecodingKey;
use std::{
    sync::{Mutex as StdMutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::Mutex;

/// The pause between two fetches for unknown keys.
const UNKNOWN_KEY: Duration = Duration::from_secs(60);

/// The pause after a failed fetch.
const PAUSE: Duration = Duration::from_secs(5);

/// How long expired keys are still used if their issuer does not answer.
const LAST_RESORT: Duration = Duration::from_secs(24 * 3_600);

#[derive(Debug)]
pub(crate) struct IssuerKeys {
    issuer: Issuer,
    outbound: Outbound,
    fresh_for: Duration,
    kept: StdMutex<Option<Kept>>,
    /// Locked during a fetch.
    fetching: Mutex<Fetches>,
}

#[derive(Clone, Debug)]
struct Kept {
    keys: KeySet,
    since: Instant,
}

#[derive(Debug, Default)]
struct Fetches {
    /// The time of the last fetch, if it failed.
    failed: Option<Instant>,
    /// The time of the last fetch that only an unknown key caused.
    for_unknown: Option<Instant>,
}

impl IssuerKeys {
    pub(crate) fn new(issuer: &Issuer, limits: &AccessLimits, outbound: Outbound) -> Self {
        Self {
            issuer: issuer.clone(),
            outbound,
            fresh_for: Duration::from_secs(limits.oidc_keys_seconds),
            kept: StdMutex::default(),
            fetching: Mutex::default(),
        }
    }

    /// Returns the key that an identity names. `None` if the issuer has no such key.
    ///
    /// # Errors
    ///
    /// 502 `vcs_unreachable` if the issuer must be called and does not answer.
    pub(crate) async fn find(
        &self,
        wanted: &WantedKey,
    ) -> Result<Option<DecodingKey>, AccessError> {
        let started = Instant::now();
        let kept = self.kept();
        let known = kept.as_ref().and_then(|kept| kept.keys.find(wanted));
        if known.is_some() && self.is_fresh(kept.as_ref()) {
            return Ok(known);
        }
        let mut last = match self.fetching.try_lock() {
            Ok(last) => last,
            // Another request is fetching: use the old key.
            Err(_) if known.is_some() => return Ok(known),
            Err(_) => self.fetching.lock().await,
        };
        if self.must_fetch(&mut last, started) {
            match discovery::keys(&self.outbound, &self.issuer).await {
                Ok(keys) => {
                    last.failed = None;
                    self.keep(keys);
                }
                Err(error) => {
                    last.failed = Some(Instant::now());
                    self.log(&error);
                }
            }
        }
        match self.kept().and_then(|kept| kept.keys.find(wanted)) {
            // The issuer may have the key: only a successful fetch would tell.
            None if last.failed.is_some() => Err(self.unreachable()),
            found => Ok(found),
        }
    }

    /// Returns whether a request that started at `started` must fetch the keys, because its key is unknown or expired.
    fn must_fetch(&self, last: &mut Fetches, started: Instant) -> bool {
        let kept = self.kept();
        if kept.as_ref().is_some_and(|kept| kept.since >= started) {
            return false;
        }
        if last
            .failed
            .is_some_and(|at| at >= started || at.elapsed() < PAUSE)
        {
            return false;
        }
        if !self.is_fresh(kept.as_ref()) {
            return true;
        }
        let is_due = last
            .for_unknown
            .is_none_or(|at| at.elapsed() >= UNKNOWN_KEY);
        if is_due {
            last.for_unknown = Some(Instant::now());
        }
        is_due
    }

    fn is_fresh(&self, kept: Option<&Kept>) -> bool {
        kept.is_some_and(|kept| kept.since.elapsed() < self.fresh_for)
    }

    fn kept(&self) -> Option<Kept> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.take_if(|kept| !is_good(kept.since.elapsed(), self.fresh_for));
        kept.clone()
    }

    fn keep(&self, keys: KeySet) {
        let kept = Kept {
            keys,
            since: Instant::now(),
        };
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
    }

    fn log(&self, error: &DiscoveryError) {
        let issuer = &self.issuer.text;
        match self.kept() {
            Some(_) => tracing::warn!(
                issuer,
                cause = chain(error),
                "the keys of an issuer cannot be fetched; expired keys are used"
            ),
            None => tracing::error!(
                issuer,
                cause = chain(error),
                "the keys of an issuer cannot be fetched; its identities are refused"
            ),
        }
    }

    fn unreachable(&self) -> AccessError {
        let detail = format!(
            "The keys of the issuer {} cannot be fetched; try again in a few seconds, and if it keeps failing, send the request id to the operator.",
            self.issuer.text
        );
        AccessError::new(Kind::ForgeUnreachable, detail).retry_after(PAUSE.as_secs())
    }
}

/// Returns whether keys of this age may be used if the issuer does not answer.
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
