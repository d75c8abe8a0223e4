//! Where a request comes from.

use axum::extract::{ConnectInfo, Request};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// The other end of a request's connection: a client, or a proxy. The listener notes it with every request; without one it
/// is nobody's.
pub(super) fn peer(request: &Request) -> IpAddr {
    let noted = request.extensions().get::<ConnectInfo<SocketAddr>>();
    noted.map_or(Ipv4Addr::UNSPECIFIED.into(), |ConnectInfo(peer)| peer.ip())
}
