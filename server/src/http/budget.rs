//! Limits on concurrent work, per client and in total.

use crate::http::per_client::{HeldByClient, PerClient};
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
    heavy_reads: FairQueue,
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

    pub(crate) fn has_proxies(&self) -> bool {
        !self.proxies.is_empty()
    }

    /// Returns a permit for a request of a client behind a proxy. Clients without a proxy need none: their connections are
    /// limited, with one request each.
    pub(crate) fn request(
        &self,
        peer: IpAddr,
        headers: &HeaderMap,
    ) -> Result<Option<HeldByClient>, TooManyRequests> {
        if !self.proxies.contains(peer) {
            return Ok(None);
        }
        let client = self.proxies.client(peer, headers);
        self.requests
            .acquire(client)
            .map(Some)
            .ok_or(TooManyRequests)
    }

    pub(crate) fn heavy_reads_running(&self) -> usize {
        self.heavy_reads.running()
    }

    pub(crate) fn heavy_reads_waiting(&self) -> usize {
        self.heavy_reads.waiting()
    }

    /// Waits for a permit for a heavy read. `None` if too many wait, or the wait took too long.
    pub(crate) async fn heavy_read(&self, peer: IpAddr, headers: &HeaderMap) -> Option<Permit> {
        let client = network(self.proxies.client(peer, headers));
        self.heavy_reads.enter(vec![client.to_string()]).await
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct TooManyRequests;
