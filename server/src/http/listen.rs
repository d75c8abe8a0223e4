//! Accepting connections, and ending them in order.
//!
//! What `axum::serve` does, with limits: on how many connections there are, of all clients and of each; on how long the head
//! of a request may take; and on how slowly a client may read. HTTP/1.1 only: that is what proxies speak to a service behind
//! them, and telling it apart from HTTP/2 would mean to wait for bytes without a limit.

pub(crate) mod connections;
mod paced_stream;
mod permits;
mod read_pace;

use crate::config::{Limits, access::TrustedProxies};
use axum::{Router, body::Body, extract::ConnectInfo, http::Request};
use connections::Connections;
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use paced_stream::PacedStream;
use permits::{Kind, Permits};
use std::{
    io,
    net::SocketAddr,
    pin::pin,
    time::{Duration, Instant},
};
use tokio::{
    net::{TcpListener, TcpStream},
    time::{sleep, timeout},
};
use tower::ServiceExt;

/// How long to wait where the system has no further connection to give: usually it has run out of file handles.
const PAUSE: Duration = Duration::from_secs(1);

/// How long a connection of the reserve may take for the head of its request, and in all: a health question is short.
const RESERVE_HEAD: Duration = Duration::from_secs(5);
const RESERVE_IN_ALL: Duration = Duration::from_secs(15);

/// How often the log says that an address has too many connections.
const WARN_EVERY: Duration = Duration::from_secs(60);

/// What a client is told for which there is not even a permit in the reserve.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// How many connections there are, and how long they may take.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionLimits {
    /// For so many connections at once.
    connections: usize,
    /// For so many of one client.
    per_client: usize,
    /// For so many that only ask whether the service is well.
    reserved: usize,
    /// Whose connections are not counted, as they are of many clients.
    proxies: TrustedProxies,
    timeouts: Timeouts,
}

/// How long a client may take.
#[derive(Clone, Copy, Debug)]
struct Timeouts {
    /// For the head of a request, and between two of them.
    head: Duration,
    /// For the next bytes of an answer to be taken.
    stall: Duration,
    /// Bytes that it has to take in a second, on average over that time.
    min_bytes_per_second: u64,
}

impl ConnectionLimits {
    /// As the configuration says.
    pub(crate) fn new(limits: &Limits, proxies: &TrustedProxies) -> Self {
        Self {
            connections: limits.max_connections.into(),
            per_client: limits.connections_per_address().into(),
            reserved: limits.reserved_connections.into(),
            proxies: proxies.clone(),
            timeouts: Timeouts {
                head: Duration::from_secs(limits.request_head_seconds),
                stall: Duration::from_secs(limits.response_stall_seconds),
                min_bytes_per_second: limits.min_read_bytes_per_second,
            },
        }
    }
}

/// What answers.
#[derive(Clone, Debug)]
pub(crate) struct Routers {
    /// On ordinary connections.
    pub(crate) ordinary: Router,
    /// On those of the reserve: whether the service is well, and that it is busy for everything else.
    pub(crate) reserve: Router,
}

/// Serves until `shutdown` resolves, and takes no further clients then. What is returned finishes the requests that are
/// under way.
pub(crate) async fn serve(
    listener: TcpListener,
    routers: Routers,
    limits: &ConnectionLimits,
    counted: &Connections,
    shutdown: impl Future<Output = ()>,
) -> GracefulShutdown {
    let timeouts = limits.timeouts;
    let ordinary = http(timeouts.head);
    let mut reserve = http(timeouts.head.min(RESERVE_HEAD));
    reserve.keep_alive(false);
    let connections = GracefulShutdown::new();
    let permits = Permits::new(limits);
    let mut warned = None;
    let mut shutdown = pin!(shutdown);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = accept(&listener, &permits) => accepted,
            () = &mut shutdown => break,
        };
        let Some(permit) = permits.acquire(peer.ip()) else {
            counted.refused();
            refuse(&stream, peer, &mut warned);
            continue;
        };
        let (http, router, in_all) = match permit.kind {
            Kind::Ordinary => (&ordinary, &routers.ordinary, None),
            Kind::Reserve => (&reserve, &routers.reserve, Some(RESERVE_IN_ALL)),
        };
        let stream = PacedStream::new(stream, timeouts.stall, timeouts.min_bytes_per_second);
        let service = router
            .clone()
            .map_request(move |request: Request<Incoming>| {
                let mut request = request.map(Body::new);
                request.extensions_mut().insert(ConnectInfo(peer));
                request
            });
        let connection =
            http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
        let connection = connections.watch(connection);
        let held = counted.opened();
        tokio::spawn(async move {
            let _held = (permit, held);
            let ended = match in_all {
                None => connection.await,
                // What takes longer is dropped.
                Some(in_all) => timeout(in_all, connection).await.unwrap_or(Ok(())),
            };
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
    connections
}

fn http(head: Duration) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(head);
    http
}

/// The next client, once there is any permit. Until then it waits with the system.
async fn accept(listener: &TcpListener, permits: &Permits) -> (TcpStream, SocketAddr) {
    permits.vacancy().await;
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Answers are written whole; waiting to see whether there is more only delays them.
                stream.set_nodelay(true).ok();
                return (stream, peer);
            }
            // The client was gone before it was its turn.
            Err(error) if is_of_connection(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                sleep(PAUSE).await;
            }
        }
    }
}

/// Tells a client that it has too many connections, as far as it listens.
fn refuse(stream: &TcpStream, peer: SocketAddr, warned: &mut Option<Instant>) {
    stream.try_write(REFUSAL).ok();
    if warned.is_none_or(|warned: Instant| warned.elapsed() > WARN_EVERY) {
        *warned = Some(Instant::now());
        tracing::warn!(
            peer = %peer.ip(),
            "an address has as many connections as it may (CONNECTIONS_PER_ADDRESS); if it is your proxy, list it in TRUSTED_PROXIES"
        );
    }
}

fn is_of_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}
