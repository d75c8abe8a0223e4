//! Accepts connections, and lets running requests finish at the shutdown.
//!
//! Like `axum::serve`, with limits on the number of connections (in total and per client), on the time for the head of
//! a request, and on how slowly a client may read. HTTP/1.1 only: proxies use it to reach a service, and detecting
//! HTTP/2 would mean waiting for bytes without a time limit.

pub(crate) mod connections;
mod paced_stream;
mod permits;

use axum::{
    body::Body,
    extract::ConnectInfo,
    http::{Request, Response},
};
use config::{Limits, access::TrustedProxies};
use connections::Connections;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use paced_stream::PacedStream;
use permits::{Kind, Permits};
use std::{
    convert::Infallible,
    io,
    net::SocketAddr,
    pin::pin,
    time::{Duration, Instant},
};
use tokio::{
    net::{TcpListener, TcpStream},
    time::{sleep, timeout},
};

/// How long to wait after the system cannot accept a connection, usually because it has run out of file handles.
const PAUSE: Duration = Duration::from_secs(1);

/// How long a connection of the reserve may take for the head of its request, and in total. Health checks are short.
const RESERVE_HEAD: Duration = Duration::from_secs(5);
const RESERVE_LIFETIME: Duration = Duration::from_secs(15);

/// How often the log warns that an address has too many connections.
const WARN_EVERY: Duration = Duration::from_secs(60);

/// The answer if the reserve has no permit either.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

pub(crate) trait Answer: Clone + Send + 'static {
    /// The extensions of the request contain the address of the client.
    fn answer(self, request: Request<Body>) -> impl Future<Output = Response<Body>> + Send;
}

/// The handlers of each kind of connection.
#[derive(Clone, Debug)]
pub(crate) struct Answers<A> {
    pub(crate) ordinary: A,
    /// For connections of the reserve: answers health checks, and everything else with "busy".
    pub(crate) reserve: A,
}

/// Serves until `shutdown` resolves, then accepts no more connections. The returned value finishes the requests that
/// are under way.
pub(crate) async fn serve<A: Answer>(
    listener: TcpListener,
    answers: Answers<A>,
    limits: &Limits,
    proxies: &TrustedProxies,
    counted: &Connections,
    shutdown: impl Future<Output = ()>,
) -> GracefulShutdown {
    let head = Duration::from_secs(limits.request_head_seconds);
    let stall = Duration::from_secs(limits.response_stall_seconds);
    let ordinary = http(head);
    let mut reserve = http(head.min(RESERVE_HEAD));
    reserve.keep_alive(false);
    let connections = GracefulShutdown::new();
    let permits = Permits::new(limits, proxies);
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
        let (http, answers, lifetime) = match permit.kind {
            Kind::Ordinary => (&ordinary, &answers.ordinary, None),
            Kind::Reserve => (&reserve, &answers.reserve, Some(RESERVE_LIFETIME)),
        };
        let stream = PacedStream::new(stream, stall, limits.min_read_bytes_per_second);
        let answers = answers.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            let answer = answers.clone().answer(request);
            async { Ok::<_, Infallible>(answer.await) }
        });
        let connection = http.serve_connection(TokioIo::new(stream), service);
        let connection = connections.watch(connection);
        let held = counted.opened();
        tokio::spawn(async move {
            let _held = (permit, held);
            let ended = match lifetime {
                None => connection.await,
                // A slower connection is dropped.
                Some(lifetime) => timeout(lifetime, connection).await.unwrap_or(Ok(())),
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

/// Waits for a free permit, then accepts the next client. Until then, clients wait in the system's queue.
async fn accept(listener: &TcpListener, permits: &Permits) -> (TcpStream, SocketAddr) {
    permits.vacancy().await;
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Answers are written whole, so Nagle's algorithm would only delay them.
                stream.set_nodelay(true).ok();
                return (stream, peer);
            }
            // The client disconnected before it was accepted.
            Err(error) if is_of_connection(&error) => {}
            Err(error) => {
                tracing::error!(%error, "cannot accept connections");
                sleep(PAUSE).await;
            }
        }
    }
}

/// Sends the refusal, unless the socket would block, and logs a warning now and then.
fn refuse(stream: &TcpStream, peer: SocketAddr, warned: &mut Option<Instant>) {
    stream.try_write(REFUSAL).ok();
    if warned.is_none_or(|warned: Instant| warned.elapsed() > WARN_EVERY) {
        *warned = Some(Instant::now());
        tracing::warn!(
            peer = %peer.ip(),
            "an address has reached its limit of connections (CONNECTIONS_PER_ADDRESS); if it is your proxy, list it in TRUSTED_PROXIES"
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
