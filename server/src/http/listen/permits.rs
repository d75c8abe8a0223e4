//! Permits for connections: a limit in total, a limit per client, and a reserve for health checks.

use crate::http::per_client::{HeldByClient, PerClient};
use config::{Limits, access::TrustedProxies};
use std::{net::IpAddr, sync::Arc};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// All permits. Only one task acquires them.
pub(super) struct Permits {
    ordinary: Pool,
    reserve: Pool,
    proxies: TrustedProxies,
}

struct Pool {
    permits: Arc<Semaphore>,
    clients: PerClient,
}

/// A permit for a connection, until it is dropped.
pub(super) struct ConnectionPermit {
    pub(super) kind: Kind,
    _permit: OwnedSemaphorePermit,
    _of_client: Option<HeldByClient>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Ordinary,
    /// For health checks only.
    Reserve,
}

impl Permits {
    /// Connections of `proxies` are not counted per client.
    pub(super) fn new(limits: &Limits, proxies: &TrustedProxies) -> Self {
        let (all, reserved) = (limits.max_connections, limits.reserved_connections);
        let per_client = limits.connections_per_address();
        Self {
            ordinary: Pool::new(all.into(), per_client.into()),
            reserve: Pool::new(reserved.into(), (reserved / 4).max(1).into()),
            proxies: proxies.clone(),
        }
    }

    /// Waits until a permit is free. It stays free, since no other task acquires permits.
    pub(super) async fn vacancy(&self) {
        tokio::select! {
            biased;
            _ = self.ordinary.permits.acquire() => {}
            _ = self.reserve.permits.acquire() => {}
        }
    }

    /// Returns an ordinary permit for a connection from this address, or else one of the reserve. `None` if neither is
    /// free.
    pub(super) fn acquire(&self, peer: IpAddr) -> Option<ConnectionPermit> {
        let is_counted = !self.proxies.contains(peer);
        let ordinary = self
            .ordinary
            .acquire(Kind::Ordinary, is_counted.then_some(peer));
        ordinary.or_else(|| self.reserve.acquire(Kind::Reserve, Some(peer)))
    }
}

impl Pool {
    fn new(permits: usize, per_client: usize) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(permits)),
            clients: PerClient::new(per_client),
        }
    }

    fn acquire(&self, kind: Kind, peer: Option<IpAddr>) -> Option<ConnectionPermit> {
        let permit = self.permits.clone().try_acquire_owned().ok()?;
        let of_client = match peer {
            Some(peer) => Some(self.clients.acquire(peer)?),
            None => None,
        };
        Some(ConnectionPermit {
            kind,
            _permit: permit,
            _of_client: of_client,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(proxies: &str) -> Permits {
        let limits = Limits {
            max_connections: 8,
            reserved_connections: 8,
            ..Limits::default()
        };
        let proxies = proxies.parse().expect("proxies");
        Permits::new(&limits, &proxies)
    }

    /// How many connections of an address get a permit of each kind; all are kept in `held`.
    fn taken(permits: &Permits, peer: &str, held: &mut Vec<ConnectionPermit>) -> (usize, usize) {
        let peer = peer.parse().expect("an address");
        let new: Vec<_> = (0..20).filter_map(|_| permits.acquire(peer)).collect();
        let of = |kind| new.iter().filter(|permit| permit.kind == kind).count();
        let count = (of(Kind::Ordinary), of(Kind::Reserve));
        held.extend(new);
        count
    }

    #[test]
    fn one_address_gets_a_quarter_of_all_permits_and_of_the_reserve() {
        let (permits, mut held) = (permits(""), Vec::new());
        assert_eq!(taken(&permits, "10.0.0.1", &mut held), (2, 2));
        assert_eq!(taken(&permits, "10.0.0.1", &mut held), (0, 0));
        assert_eq!(taken(&permits, "2001:db8::1", &mut held), (2, 2));
        assert_eq!(taken(&permits, "2001:db8::2", &mut held), (0, 0));
        assert_eq!(taken(&permits, "10.0.0.2", &mut held), (2, 2));
        held.clear();
        assert_eq!(taken(&permits, "10.0.0.1", &mut held), (2, 2));
    }

    #[test]
    fn a_trusted_proxy_may_have_all_permits_but_not_the_reserve() {
        let (permits, mut held) = (permits("10.0.0.0/24"), Vec::new());
        assert_eq!(taken(&permits, "10.0.0.7", &mut held), (8, 2));
        assert_eq!(taken(&permits, "10.1.0.1", &mut held), (0, 2));
    }
}
