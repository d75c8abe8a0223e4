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
}

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
}
