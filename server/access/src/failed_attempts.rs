//! Limits on refused tokens: per address, per repository, and for tokens that forges refuse, for all clients together.
//!
//! These limits bound the calls to forges that strangers can cause. They do not protect a short `UPLOAD_TOKEN` from guessing.
//! Tokens of this service, identities, and tokens that a forge accepted recently are recognised before these limits. The limit of
//! a repository applies only to addresses with failures of their own. The total limit does not apply to an
//! address from which a forge accepted a token in the last day: strangers who use up the limit delay only uploads from new addresses.

use crate::{error::AccessError, network::network};
use config::access::AccessLimits;
use domain::Repository;
use moka::{policy::EvictionPolicy, sync::Cache};
use std::{
    hash::Hash,
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

const WINDOW: Duration = Duration::from_secs(60);

/// How long an address is exempt from the total limit after a forge accepted its token.
const KNOWN: Duration = Duration::from_secs(24 * 60 * 60);

/// The maximum number of entries of each cache; the least recently used entry is dropped.
const REMEMBERED: u64 = 16_384;

#[derive(Clone, Debug)]
pub(super) struct FailedAttempts {
    addresses: Counter<IpAddr>,
    /// By the key of the name, so that all spellings of a name count together.
    repositories: Counter<String>,
    /// Failed calls to forges, by all clients together.
    forge_checks: Counter<()>,
    /// Addresses whose tokens a forge accepted.
    known: Cache<IpAddr, ()>,
    /// A phrase of the refusal, before "try again in … seconds".
    advice: &'static str,
}

impl FailedAttempts {
    pub(super) fn new(limits: &AccessLimits) -> Self {
        Self {
            addresses: Counter::new(limits.failed_tries_per_address),
            repositories: Counter::new(limits.failed_tries_per_repository),
            forge_checks: Counter::new(limits.failed_vcs_checks),
            known: remembered(REMEMBERED, KNOWN),
            advice: "check the token, then ",
        }
    }

    /// Counts refused logins. A login contains no token, so the refusal does not advise to check it.
    pub(super) fn of_logins(limits: &AccessLimits) -> Self {
        Self {
            advice: "",
            ..Self::new(limits)
        }
    }

    fn too_many(&self, wait: Duration, whose: &str) -> AccessError {
        let (seconds, advice) = (wait.as_secs() + 1, self.advice);
        let detail = format!(
            "Too many attempts {whose} have failed; {advice}try again in {seconds} seconds."
        );
        AccessError::too_many(seconds, detail)
    }

    /// Returns 429 `too_many_requests` if the address is over its limit.
    fn limit(&self, address: Failures) -> Result<Failures, AccessError> {
        match address.wait {
            Some(wait) => Err(self.too_many(wait, "from your address")),
            None => Ok(address),
        }
    }

    /// Returns 429 `too_many_requests` if the repository is over its limit, and this address has at least one failure.
    fn limit_of(
        &self,
        repository: &Repository,
        failures: Failures,
        address: Failures,
    ) -> Result<(), AccessError> {
        match failures.wait {
            Some(wait) if address.failed > 0 => {
                Err(self.too_many(wait, &format!("for {repository}")))
            }
            _ => Ok(()),
        }
    }

    /// Checks all limits before a forge is called.
    pub(super) fn check(
        &self,
        address: IpAddr,
        repository: &Repository,
    ) -> Result<(), AccessError> {
        let of_address = self.limit(self.addresses.state(&network(address)))?;
        let failures = self.repositories.state(&repository.key());
        self.limit_of(repository, failures, of_address)?;
        self.check_forge_budget(address)
    }

    /// Checks the limit of the address.
    pub(super) fn check_address(&self, address: IpAddr) -> Result<(), AccessError> {
        self.limit(self.addresses.state(&network(address)))
            .map(drop)
    }

    /// Checks the limit on failed calls of all addresses together. Addresses from which a forge accepted a token recently are exempt,
    /// so that strangers cannot block their jobs.
    fn check_forge_budget(&self, address: IpAddr) -> Result<(), AccessError> {
        match self.forge_checks.state(&()).wait {
            Some(wait) if self.known.get(&network(address)).is_none() => {
                let seconds = wait.as_secs() + 1;
                let detail = format!(
                    "Too many checks of tokens by forges have failed, for all clients together; try again in {seconds} seconds, or use a token of this service or an identity of a CI system, which still work."
                );
                Err(AccessError::too_many(seconds, detail))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn add_forge_check(&self) {
        self.forge_checks.add(());
    }

    pub(super) fn know(&self, address: IpAddr) {
        self.known.insert(network(address), ());
    }

    /// Counts a refused token. Attempts from an address over its limit do not count for the repository.
    pub(super) fn add(&self, address: IpAddr, repository: &Repository) -> Result<(), AccessError> {
        let address = self.limit(self.addresses.add(network(address)))?;
        let failures = self.repositories.add(repository.key());
        self.limit_of(repository, failures, address)
    }

    /// Counts a failure that belongs to no repository: a refused reader, or a forge or issuer that did not answer.
    pub(super) fn add_of_address(&self, address: IpAddr) -> Result<(), AccessError> {
        self.limit(self.addresses.add(network(address))).map(drop)
    }

    /// Counts an attempt of an address if nobody was recognised. Returns the refusal, or 429 `too_many_requests` after too many.
    pub(super) fn counted(&self, refusal: AccessError, address: IpAddr) -> AccessError {
        match refusal.is_unauthorized() {
            true => self.add_of_address(address).err().unwrap_or(refusal),
            false => refusal,
        }
    }
}

/// Returns a cache of the latest `most` keys, each kept for `lifetime` after its insertion.
pub(super) fn remembered<K, V>(most: u64, lifetime: Duration) -> Cache<K, V>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    Cache::builder()
        .max_capacity(most)
        .eviction_policy(EvictionPolicy::lru())
        .time_to_live(lifetime)
        .build()
}

#[derive(Clone, Debug)]
struct Counter<K: Hash + Eq + Send + Sync + 'static> {
    limit: u32,
    windows: Cache<K, Arc<Window>>,
}

/// A minute that starts with a failure.
#[derive(Debug)]
struct Window {
    since: Instant,
    failed: AtomicU32,
}

impl<K: Hash + Eq + Send + Sync + 'static> Counter<K> {
    fn new(limit: u32) -> Self {
        Self {
            limit,
            windows: remembered(REMEMBERED, WINDOW),
        }
    }

    fn state(&self, key: &K) -> Failures {
        let window = self.windows.get(key);
        window.map_or_else(Failures::default, |window| {
            window.failures(window.failed.load(Ordering::Relaxed), self.limit)
        })
    }

    /// Counts a failure, and returns the failures before it.
    fn add(&self, key: K) -> Failures {
        let window = self.windows.get_with(key, || {
            Arc::new(Window {
                since: Instant::now(),
                failed: AtomicU32::new(0),
            })
        });
        window.failures(window.failed.fetch_add(1, Ordering::Relaxed), self.limit)
    }
}

/// The failures of a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Failures {
    failed: u32,
    /// How long to wait, if there are too many.
    wait: Option<Duration>,
}

impl Window {
    fn failures(&self, failed: u32, limit: u32) -> Failures {
        Failures {
            failed,
            wait: (failed >= limit).then(|| WINDOW.saturating_sub(self.since.elapsed())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_allows_its_limit_and_then_says_how_long_to_wait() {
        let counter = Counter::new(2);
        assert_eq!(counter.state(&"a"), Failures::default());
        assert_eq!((counter.add("a").wait, counter.add("a").wait), (None, None));
        assert!(counter.state(&"a").wait.is_some_and(|wait| wait <= WINDOW));
        assert!(counter.add("a").wait.is_some());
        assert_eq!(counter.add("b"), Failures::default(), "another one");
    }
}
