//! Limits how many tokens of one address are checked by forges at the same time.

use crate::{error::AccessError, network::network};
use config::access::AccessLimits;
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// The number of addresses from which unused addresses are removed.
const REMEMBERED: usize = 4_096;

/// Seconds after which the client may try again.
const RETRY_SECONDS: u64 = 5;

/// Lets a few tokens of each address through at a time; the others wait. Without it, all tokens that arrive before the first
/// refusal would be checked.
#[derive(Clone, Debug)]
pub(super) struct PerAddressLimiter {
    at_once: usize,
    timeout: Duration,
    addresses: Arc<Mutex<HashMap<IpAddr, Arc<Semaphore>>>>,
}

impl PerAddressLimiter {
    pub(super) fn new(limits: &AccessLimits) -> Self {
        Self {
            at_once: limits.concurrent_vcs_calls_per_address.into(),
            timeout: limits.vcs_call(),
            addresses: Arc::default(),
        }
    }

    /// Waits for a permit of an address. Dropping the permit releases it.
    pub(super) async fn acquire(
        &self,
        address: IpAddr,
    ) -> Result<OwnedSemaphorePermit, AccessError> {
        let permits = {
            let mut addresses = self
                .addresses
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            if addresses.len() >= REMEMBERED {
                addresses.retain(|_, permits| Arc::strong_count(permits) > 1);
            }
            let new = || Arc::new(Semaphore::new(self.at_once));
            addresses
                .entry(network(address))
                .or_insert_with(new)
                .clone()
        };
        match timeout(self.timeout, permits.acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(AccessError::too_many(
                RETRY_SECONDS,
                format!(
                    "Too many attempts from your address are being checked; try again in {RETRY_SECONDS} seconds."
                ),
            )),
        }
    }
}
