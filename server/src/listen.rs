//! Accepting connections, and ending them in order.
//!
//! What `axum::serve` does, with limits: on how many connections there are, how long the head of a request may take, and
//! how long a client may leave an answer unread. Without them, clients that do nothing would be kept for ever. HTTP/1.1 only: that is what proxies speak to a service behind
//! them, and telling it apart from HTTP/2 would mean to wait for bytes without a limit.

use crate::metrics::Connections;
use axum::{Router, body::Body, extract::ConnectInfo, http::Request};
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use std::{io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::sleep,
};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

/// How long to wait where the system has no further connection to give: usually it has run out of file handles.
const PAUSE: Duration = Duration::from_secs(1);

/// How patient the service is with its clients.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// For so many clients at once.
    pub(crate) connections: usize,
    /// For the head of a request, and between two of them.
    pub(crate) head: Duration,
    /// For the next bytes of an answer to be taken.
    pub(crate) stall: Duration,
}

/// Serves until `shutdown` resolves, and takes no further clients then. What is returned finishes the requests that are
/// under way.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    patience: Patience,
    counted: &Connections,
    shutdown: impl Future<Output = ()>,
) -> GracefulShutdown {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(patience.head);
    let connections = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(patience.connections));
    let mut shutdown = pin!(shutdown);
    loop {
        let (stream, peer, place) = tokio::select! {
            accepted = accept(&listener, &places) => accepted,
            () = &mut shutdown => break,
        };
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(patience.stall));
        let stream = TokioIo::new(Box::pin(stream));
        let router = router.clone();
        let service = router.map_request(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            request
        });
        let connection = http.serve_connection(stream, TowerToHyperService::new(service));
        let connection = connections.watch(connection);
        let held = counted.opened();
        tokio::spawn(async move {
            let (_place, _held) = (place, held);
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
    connections
}

/// The next client, once there is a place for one. Until then it waits with the system.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (TcpStream, SocketAddr, Option<OwnedSemaphorePermit>) {
    // The semaphore is never closed, which is all that could fail.
    let place = places.clone().acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Answers are written whole; waiting to see whether there is more only delays them.
                stream.set_nodelay(true).ok();
                return (stream, peer, place);
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

fn is_of_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}
