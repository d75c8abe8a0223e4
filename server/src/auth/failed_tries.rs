//! How often tokens may be refused, for one address and for one repository.
//!
//! Whoever has a good token of this service is never kept out by others who have not: these are recognised here, without
//! asking anybody. What is kept back are further calls to other services, and answers that tell good from bad.

use crate::{config::access::AccessLimits, error::ApiError};
use app::domain::Repository;
use lru::LruCache;
use std::{
    hash::Hash,
    net::{IpAddr, Ipv6Addr},
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

const WINDOW: Duration = Duration::from_secs(60);

/// Addresses and repositories that are remembered, those of the last tries.
const REMEMBERED: NonZeroUsize = NonZeroUsize::MIN.saturating_add(16_383);

/// Counts tokens that were refused.
#[derive(Clone, Debug)]
pub(super) struct FailedTries {
    addresses: Counter<IpAddr>,
    repositories: Counter<Repository>,
}

impl FailedTries {
    pub(super) fn new(limits: &AccessLimits) -> Self {
        Self {
            addresses: Counter::new(limits.failed_tries_per_address),
            repositories: Counter::new(limits.failed_tries_per_repository),
        }
    }

    /// Whether there were too many already.
    ///
    /// # Errors
    ///
    /// 429 `too_many_requests`.
    pub(super) fn check(&self, address: IpAddr, repository: &Repository) -> Result<(), ApiError> {
        self.judge(
            self.addresses.wait(&network(address)),
            self.repositories.wait(repository),
            repository,
        )
    }

    /// Counts one more.
    ///
    /// # Errors
    ///
    /// 429 `too_many_requests` once there are too many.
    pub(super) fn add(&self, address: IpAddr, repository: &Repository) -> Result<(), ApiError> {
        self.judge(
            self.addresses.add(network(address)),
            self.repositories.add(repository.clone()),
            repository,
        )
    }

    /// Counts one more of somebody who wants to read, which is about no repository.
    ///
    /// # Errors
    ///
    /// 429 `too_many_requests` once there are too many.
    pub(super) fn add_of_reader(&self, address: IpAddr) -> Result<(), ApiError> {
        match self.addresses.add(network(address)) {
            None => Ok(()),
            Some(wait) => Err(too_many(wait, FROM_ADDRESS)),
        }
    }

    fn judge(
        &self,
        address: Option<Duration>,
        of_repository: Option<Duration>,
        repository: &Repository,
    ) -> Result<(), ApiError> {
        match (address, of_repository) {
            (None, None) => Ok(()),
            (Some(wait), _) => Err(too_many(wait, FROM_ADDRESS)),
            (None, Some(wait)) => Err(too_many(wait, &format!("for {repository}"))),
        }
    }
}

const FROM_ADDRESS: &str = "from your address";

fn too_many(wait: Duration, whose: &str) -> ApiError {
    let seconds = wait.as_secs() + 1;
    ApiError::too_many_requests(
        seconds,
        format!(
            "Too many tokens {whose} were refused; correct the token, and try again in {seconds} seconds."
        ),
    )
}

/// One client may have all addresses of a network of 64 bits (RFC 4291, section 2.5.4).
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        address => address,
    }
}

#[derive(Clone, Debug)]
struct Counter<K: Hash + Eq> {
    limit: u32,
    windows: Arc<Mutex<LruCache<K, Window>>>,
}

#[derive(Clone, Copy, Debug)]
struct Window {
    since: Instant,
    failed: u32,
}

impl<K: Hash + Eq> Counter<K> {
    fn new(limit: u32) -> Self {
        Self {
            limit,
            windows: Arc::new(Mutex::new(LruCache::new(REMEMBERED))),
        }
    }

    /// How long to wait, where there were too many.
    fn wait(&self, key: &K) -> Option<Duration> {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let window = windows.get(key)?;
        (window.failed >= self.limit)
            .then(|| WINDOW.checked_sub(window.since.elapsed()))
            .flatten()
    }

    /// Counts one more; how long to wait, where there were enough before it.
    fn add(&self, key: K) -> Option<Duration> {
        let wait = self.wait(&key);
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let window = windows.get_or_insert_mut(key, || Window {
            since: Instant::now(),
            failed: 0,
        });
        if window.since.elapsed() >= WINDOW {
            window.since = Instant::now();
            window.failed = 0;
        }
        window.failed = window.failed.saturating_add(1);
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_lets_so_many_fail_and_then_says_how_long_to_wait() {
        let counter = Counter::new(2);
        assert_eq!(counter.wait(&"a"), None);
        assert_eq!((counter.add("a"), counter.add("a")), (None, None));
        assert!(counter.wait(&"a").is_some_and(|wait| wait <= WINDOW));
        assert!(counter.add("a").is_some());
        assert_eq!(counter.add("b"), None, "another one");
    }

    #[test]
    fn a_network_of_64_bits_is_one_client() {
        let of = |text: &str| network(text.parse().expect("an address"));
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8:0:1::1"), of("2001:db8:0:2::1"));
        assert_eq!(of("::ffff:1.2.3.4"), of("1.2.3.4"));
        assert_ne!(of("1.2.3.4"), of("1.2.3.5"));
    }
}
