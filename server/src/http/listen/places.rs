//! Places for connections: so many in all, so many of one client, and a reserve for health questions.

use super::ConnectionLimits;
use crate::{
    config::access::TrustedProxies,
    http::per_client::{HeldByClient, PerClient},
};
use std::{net::IpAddr, sync::Arc};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// All places. One task takes them.
pub(super) struct Places {
    ordinary: Pool,
    reserve: Pool,
    proxies: TrustedProxies,
}

struct Pool {
    places: Arc<Semaphore>,
    clients: PerClient,
}

/// A place for a connection, until it is dropped.
pub(super) struct Place {
    /// What the connection is for.
    pub(super) kind: Kind,
    _place: OwnedSemaphorePermit,
    _of_client: Option<HeldByClient>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// For everything.
    Ordinary,
    /// For health questions alone.
    Reserve,
}

impl Places {
    pub(super) fn new(limits: &ConnectionLimits) -> Self {
        Self {
            ordinary: Pool::new(limits.connections, limits.per_client),
            reserve: Pool::new(limits.reserved, (limits.reserved / 4).max(1)),
            proxies: limits.proxies.clone(),
        }
    }

    /// Waits until some place is free. It stays free, as nobody else takes any.
    pub(super) async fn vacancy(&self) {
        tokio::select! {
            biased;
            _ = self.ordinary.places.acquire() => {}
            _ = self.reserve.places.acquire() => {}
        }
    }

    /// A place for a connection from this address: an ordinary one, where there is one and the client may have it, otherwise
    /// one of the reserve.
    pub(super) fn take(&self, peer: IpAddr) -> Option<Place> {
        let is_counted = !self.proxies.contains(peer);
        let ordinary = self
            .ordinary
            .take(Kind::Ordinary, is_counted.then_some(peer));
        ordinary.or_else(|| self.reserve.take(Kind::Reserve, Some(peer)))
    }
}

impl Pool {
    fn new(places: usize, per_client: usize) -> Self {
        Self {
            places: Arc::new(Semaphore::new(places)),
            clients: PerClient::new(per_client),
        }
    }

    fn take(&self, kind: Kind, peer: Option<IpAddr>) -> Option<Place> {
        let place = self.places.clone().try_acquire_owned().ok()?;
        let of_client = match peer {
            Some(peer) => Some(self.clients.take(peer)?),
            None => None,
        };
        Some(Place {
            kind,
            _place: place,
            _of_client: of_client,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Limits;

    fn places(proxies: &str) -> Places {
        let limits = Limits {
            max_connections: 8,
            reserved_connections: 8,
            ..Limits::default()
        };
        let proxies = proxies.parse().expect("proxies");
        Places::new(&ConnectionLimits::new(&limits, &proxies))
    }

    /// How many connections of an address get a place of each kind, while they are held.
    fn taken(places: &Places, peer: &str, held: &mut Vec<Place>) -> (usize, usize) {
        let peer = peer.parse().expect("an address");
        let new: Vec<_> = (0..20).filter_map(|_| places.take(peer)).collect();
        let of = |kind| new.iter().filter(|place| place.kind == kind).count();
        let count = (of(Kind::Ordinary), of(Kind::Reserve));
        held.extend(new);
        count
    }

    #[test]
    fn one_address_gets_a_quarter_of_all_places_and_of_the_reserve() {
        let (places, mut held) = (places(""), Vec::new());
        assert_eq!(taken(&places, "10.0.0.1", &mut held), (2, 2));
        assert_eq!(taken(&places, "10.0.0.1", &mut held), (0, 0));
        assert_eq!(taken(&places, "2001:db8::1", &mut held), (2, 2));
        assert_eq!(taken(&places, "2001:db8::2", &mut held), (0, 0));
        assert_eq!(taken(&places, "10.0.0.2", &mut held), (2, 2));
        held.clear();
        assert_eq!(taken(&places, "10.0.0.1", &mut held), (2, 2));
    }

    #[test]
    fn a_trusted_proxy_may_have_all_places_but_not_the_reserve() {
        let (places, mut held) = (places("10.0.0.0/24"), Vec::new());
        assert_eq!(taken(&places, "10.0.0.7", &mut held), (8, 2));
        assert_eq!(taken(&places, "10.1.0.1", &mut held), (0, 2));
    }
}
