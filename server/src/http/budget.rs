//! Limits on concurrent work, per client and in total.

use crate::http::{
    error::ApiError,
    per_client::{HeldByClient, PerClient},
};
use access::network::network;
use axum::http::HeaderMap;
use config::{Limits, access::TrustedProxies};
use ingest::fair_queue::{FairQueue, Permit, QueueLimits};
use std::{net::IpAddr, time::Duration};

/// The limits and the permits in use. Clones share them.
#[derive(Clone, Debug)]
pub struct Budget {
    proxies: TrustedProxies,
    requests: PerClient,
    pub(crate) heavy_reads: FairQueue,
    /// Uploads with their token in the body.
    early_bodies: FairQueue,
    /// Uploads that wait for another request with the same body.
    repeated_bodies: FairQueue,
    /// How long the uploads of other services' clients wait in all.
    pub(crate) foreign_wait: Duration,
}

/// The bodies that are received at a time before their token is known. Each takes up to 16 MiB of memory.
const EARLY_BODIES: usize = 8;

/// The uploads that wait at a time for another request with the same body. Each queries the database again and again.
const REPEATED_BODIES: usize = 32;

impl Budget {
    /// Creates a budget from `limits`. Some clients connect through `proxies`. Heavy reads and all other work share
    /// `database_connections`.
    pub fn new(limits: &Limits, proxies: &TrustedProxies, database_connections: u32) -> Self {
        Self {
            proxies: proxies.clone(),
            requests: PerClient::new(limits.connections_per_address().into()),
            heavy_reads: FairQueue::new(QueueLimits {
                running: limits.heavy_reads(database_connections),
                // One client may have half of these, which by default equals its limit of connections.
                waiting: usize::from(limits.max_connections / 2).max(1),
                // A client that reads slowly keeps its permit, so some stay free for others.
                running_share: 50,
                waiting_share: 50,
                wait: Duration::from_secs(limits.heavy_read_wait_seconds),
            }),
            early_bodies: FairQueue::new(QueueLimits {
                running: EARLY_BODIES,
                waiting: 8 * EARLY_BODIES,
                // One address may have two.
                running_share: 25,
                waiting_share: 25,
                wait: Duration::from_secs(limits.foreign_wait_seconds),
            }),
            repeated_bodies: FairQueue::new(QueueLimits {
                running: REPEATED_BODIES,
                waiting: 0,
                running_share: 25,
                waiting_share: 25,
                wait: Duration::ZERO,
            }),
            foreign_wait: Duration::from_secs(limits.foreign_wait_seconds),
        }
    }

    /// Returns a permit for a request of a client behind a proxy. Clients without a proxy need none: their connections are
    /// limited, with one request each.
    pub(crate) fn request(
        &self,
        peer: IpAddr,
        headers: &HeaderMap,
    ) -> Result<Option<HeldByClient>, ApiError> {
        if !self.proxies.contains(peer) {
            return Ok(None);
        }
        let permit = self.requests.acquire(self.proxies.client(peer, headers));
        let permit = permit.ok_or_else(|| {
            ApiError::busy(
                "Your address has too many requests under way (CONNECTIONS_PER_ADDRESS); try again in a few seconds.",
            )
        });
        permit.map(Some)
    }

    /// Waits for a permit for a heavy read. `None` if too many wait, or the wait took too long.
    pub(crate) async fn heavy_read(&self, peer: IpAddr, headers: &HeaderMap) -> Option<Permit> {
        let client = network(self.proxies.client(peer, headers));
        self.heavy_reads.enter(vec![client.to_string()]).await
    }

    /// Waits for a permit to receive a body before its token, also if many wait.
    ///
    /// # Errors
    ///
    /// If the wait takes too long.
    pub(crate) async fn early_body(
        &self,
        peer: IpAddr,
        headers: &HeaderMap,
    ) -> Result<Permit, ApiError> {
        let keys = vec![network(self.proxies.client(peer, headers)).to_string()];
        let permit = self.early_bodies.enter_within(self.foreign_wait, keys);
        permit.await.ok_or_else(|| {
            ApiError::busy("Too many uploads are under way; send this one again in a minute.")
        })
    }

    /// Returns a permit to wait for another request with the same body. `None` if too many wait.
    pub(crate) async fn repeated_body(&self, client: IpAddr) -> Option<Permit> {
        let keys = vec![network(client).to_string()];
        self.repeated_bodies.enter(keys).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    #[tokio::test]
    async fn one_address_has_two_early_bodies_and_all_together_have_eight() {
        let budget = Budget::new(&Limits::default(), &TrustedProxies::default(), 4);
        let headers = HeaderMap::new();
        let enter = |address: &str| {
            let address = address.parse().expect("an address");
            let permit = budget.early_body(address, &headers).now_or_never();
            permit.map(|permit| permit.expect("a permit"))
        };
        let first = enter("10.0.0.1").expect("the first");
        let _second = enter("10.0.0.1").expect("the second");
        assert!(enter("10.0.0.1").is_none(), "it waits");
        let others: Vec<_> = (2..9)
            .filter_map(|n| enter(&format!("10.0.0.{n}")))
            .collect();
        assert_eq!(others.len(), 6);
        drop(first);
        assert!(enter("10.0.0.20").is_some());
    }
}
