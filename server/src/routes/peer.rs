//! The address that a request comes from.

use axum::extract::{ConnectInfo, Request};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Returns the peer of a request's connection: a client, or a proxy. The listener adds it to every request; without a
/// listener it is `0.0.0.0`.
pub(super) fn peer(request: &Request) -> IpAddr {
    let noted = request.extensions().get::<ConnectInfo<SocketAddr>>();
    noted.map_or(Ipv4Addr::UNSPECIFIED.into(), |ConnectInfo(peer)| peer.ip())
}
