//! Accepting connections, and ending them in order.
//!
//! What `axum::serve` does, with a limit on how long a client may take to send the head of a request: without one,
//! connections that say nothing would be kept for ever. HTTP/1.1 only: that is what proxies speak to a service behind
//! them, and telling it apart from HTTP/2 would mean to wait for bytes without a limit.

use axum::{Router, body::Body, http::Request};
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use std::{io, pin::pin, time::Duration};
use tokio::{
    net::{TcpListener, TcpStream},
    time::{sleep, timeout},
};
use tower::ServiceExt;

/// How long to wait where the system has no further connection to give: usually it has run out of file handles.
const PAUSE: Duration = Duration::from_secs(1);

/// How patient the service is with its clients.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// For the head of a request, and between two of them.
    pub(crate) head: Duration,
    /// For the requests under way, once the service is to stop.
    pub(crate) grace: Duration,
}

/// Serves until `shutdown` resolves, then lets requests under way finish; false where that took too long.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    patience: Patience,
    shutdown: impl Future<Output = ()>,
) -> bool {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(patience.head);
    let connections = GracefulShutdown::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let stream = tokio::select! {
            accepted = accept(&listener) => accepted,
            () = &mut shutdown => break,
        };
        let router = router.clone();
        let service = router.map_request(|request: Request<Incoming>| request.map(Body::new));
        let connection =
            http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
    drop(listener);
    timeout(patience.grace, connections.shutdown())
        .await
        .is_ok()
}

async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Answers are written whole; waiting to see whether there is more only delays them.
                stream.set_nodelay(true).ok();
                return stream;
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
