//! The keys of one issuer, kept for a while: when it is asked for them, and what goes on when it does not answer.
//!
//! However many identities come at once, one of them asks and the others wait for its answer. None of them makes the service
//! ask more often than once a minute by naming a key that does not exist, or than every few seconds while asking fails.

use super::{
    discovery::{self, DiscoveryError},
    key_set::{KeySet, WantedKey},
};
use crate::{
    config::access::{AccessLimits, Issuer},
    forges::outbound::Outbound,
    http::error::{ApiError, Code},
    text::chain,
};
use jsonwebtoken::DecodingKey;
use std::{
    sync::{Mutex as StdMutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::Mutex;

/// Between two questions for keys that are not among those that are kept.
const UNKNOWN_KEY: Duration = Duration::from_secs(60);

/// After a question that had no answer.
const PAUSE: Duration = Duration::from_secs(5);

/// For which keys go on when their issuer does not answer.
const LAST_RESORT: Duration = Duration::from_secs(24 * 3_600);

/// The keys of one issuer.
#[derive(Debug)]
pub(super) struct IssuerKeys {
    issuer: Issuer,
    outbound: Outbound,
    fresh_for: Duration,
    kept: StdMutex<Option<Kept>>,
    /// Held by whoever asks.
    asking: Mutex<Asked>,
}

#[derive(Clone, Debug)]
struct Kept {
    keys: KeySet,
    since: Instant,
}

#[derive(Debug, Default)]
struct Asked {
    /// When the last question failed, if it did.
    failed: Option<Instant>,
    /// When there last was a question only because a key was unknown.
    for_unknown: Option<Instant>,
}

impl IssuerKeys {
    pub(super) fn new(issuer: &Issuer, limits: &AccessLimits, outbound: Outbound) -> Self {
        Self {
            issuer: issuer.clone(),
            outbound,
            fresh_for: Duration::from_secs(limits.oidc_keys_seconds),
            kept: StdMutex::default(),
            asking: Mutex::default(),
        }
    }

    /// The key that an identity names; none where its issuer has no such key.
    ///
    /// # Errors
    ///
    /// 502 `vcs_unreachable` where the issuer would have to be asked, and does not answer.
    pub(super) async fn find(&self, wanted: &WantedKey) -> Result<Option<DecodingKey>, ApiError> {
        let came = Instant::now();
        let kept = self.kept();
        let known = kept.as_ref().and_then(|kept| kept.keys.find(wanted));
        if known.is_some() && self.is_fresh(kept.as_ref()) {
            return Ok(known);
        }
        let mut asked = match self.asking.try_lock() {
            Ok(asked) => asked,
            // Somebody is asking: until there is an answer, the old key goes on.
            Err(_) if known.is_some() => return Ok(known),
            Err(_) => self.asking.lock().await,
        };
        if self.has_to_ask(&mut asked, came) {
            match discovery::keys(&self.outbound, &self.issuer).await {
                Ok(keys) => {
                    asked.failed = None;
                    self.keep(keys);
                }
                Err(error) => {
                    asked.failed = Some(Instant::now());
                    self.log(&error);
                }
            }
        }
        match self.kept().and_then(|kept| kept.keys.find(wanted)) {
            // It may well have the key by now; nobody knows.
            None if asked.failed.is_some() => Err(self.unreachable()),
            found => Ok(found),
        }
    }

    /// Whether the issuer has to be asked by one that came then and found no key, or an old one.
    fn has_to_ask(&self, asked: &mut Asked, came: Instant) -> bool {
        let kept = self.kept();
        if kept.as_ref().is_some_and(|kept| kept.since >= came) {
            return false;
        }
        if asked
            .failed
            .is_some_and(|at| at >= came || at.elapsed() < PAUSE)
        {
            return false;
        }
        if !self.is_fresh(kept.as_ref()) {
            return true;
        }
        let is_due = asked
            .for_unknown
            .is_none_or(|at| at.elapsed() >= UNKNOWN_KEY);
        if is_due {
            asked.for_unknown = Some(Instant::now());
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
            Some(_) => tracing::warn!(issuer, cause = chain(error), "an issuer's old keys go on"),
            None => tracing::error!(issuer, cause = chain(error), "an issuer has no keys"),
        }
    }

    fn unreachable(&self) -> ApiError {
        let detail = format!(
            "{} does not say which keys it signs identities with; try again in a few seconds, and tell the operator the request id if it goes on.",
            self.issuer.text
        );
        ApiError::new(Code::VcsUnreachable, detail).retry_after(PAUSE.as_secs())
    }
}

/// Whether keys of this age may go on where there are no others.
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
