//! How many of one address's tokens other services are asked about at the same time.

use crate::{
    config::access::AccessLimits,
    http::{error::ApiError, network::network},
};
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

/// Addresses beyond which those that nobody waits for are forgotten.
const REMEMBERED: usize = 4_096;

/// Seconds after which to try again.
const RETRY_SECONDS: u64 = 5;

/// Lets few of each address through at a time; the others wait. Without this, all that came before the first refusal would
/// be asked about.
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

    /// Waits for a permit of an address. It is held as long as the value is kept.
    ///
    /// # Errors
    ///
    /// 429 `too_many_requests` where that takes longer than a call may.
    pub(super) async fn acquire(&self, address: IpAddr) -> Result<OwnedSemaphorePermit, ApiError> {
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
            Ok(Ok(turn)) => Ok(turn),
            _ => Err(ApiError::too_many_requests(
                RETRY_SECONDS,
                format!(
                    "Too many tokens from your address are being checked; try again in {RETRY_SECONDS} seconds."
                ),
            )),
        }
    }
}
