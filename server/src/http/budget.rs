//! What clients may have the service do at the same time: each of them, and all of them together.

use crate::{
    config::{Limits, access::TrustedProxies},
    http::{
        network::network,
        per_client::{HeldByClient, PerClient},
    },
    ingest::fair_queue::{FairQueue, Permit, QueueLimits},
};
use axum::http::HeaderMap;
use std::{net::IpAddr, time::Duration};

/// The budget. Clones share it.
#[derive(Clone, Debug)]
pub struct Budget {
    proxies: TrustedProxies,
    requests: PerClient,
    heavy_reads: FairQueue,
}

impl Budget {
    /// As `limits` say, of clients some of whom come through these proxies; heavy reads share so many connections to the
    /// database with everything else.
    pub fn new(limits: &Limits, proxies: &TrustedProxies, database_connections: u32) -> Self {
        Self {
            proxies: proxies.clone(),
            requests: PerClient::new(limits.connections_per_address().into()),
            heavy_reads: FairQueue::new(QueueLimits {
                running: limits.heavy_reads(database_connections),
                // One client may have half of these, which is as many as its connections, where nobody says otherwise.
                waiting: usize::from(limits.max_connections / 2).max(1),
                // They are short: whoever comes next need not find a free permit.
                running_share: 100,
                waiting_share: 50,
                wait: Duration::from_secs(limits.heavy_read_wait_seconds),
            }),
        }
    }

    /// A place among the requests of a client; none where it has enough under way. Clients that are connected themselves are
    /// limited by their connections, which have a request each.
    ///
    /// # Errors
    ///
    /// [`TooManyRequests`].
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

    /// Heavy reads that are under way.
    pub(crate) fn heavy_reads_running(&self) -> usize {
        self.heavy_reads.running()
    }

    /// Heavy reads that wait for their turn.
    pub(crate) fn heavy_reads_waiting(&self) -> usize {
        self.heavy_reads.waiting()
    }

    /// Waits for leave to read what costs much; none where too many wait, or it took too long.
    pub(crate) async fn heavy_read(&self, peer: IpAddr, headers: &HeaderMap) -> Option<Permit> {
        let client = network(self.proxies.client(peer, headers));
        self.heavy_reads.enter(vec![client.to_string()]).await
    }
}

/// A client has as many requests under way as it may.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooManyRequests;
