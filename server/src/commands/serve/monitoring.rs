//! The separate address for monitoring. It answers until the service has finished its work.

use crate::{
    commands::CommandError,
    http::listen::{self, Answers, connections::Connections},
    routes,
    state::AppState,
};
use config::access::TrustedProxies;
use std::{future::pending, io, net::SocketAddr};
use tokio::{net::TcpListener, task::AbortHandle};

pub(super) async fn open(
    addr: SocketAddr,
    state: AppState,
    proxies: TrustedProxies,
) -> Result<AbortHandle, CommandError> {
    let failed = |error: io::Error| CommandError::cannot_listen(addr)(error);
    let listener = TcpListener::bind(addr).await.map_err(failed)?;
    let addr = listener.local_addr().map_err(failed)?;
    tracing::info!("metrics are served at http://{addr}/metrics");
    let serving = tokio::spawn(async move {
        let limits = state.limits.clone();
        let router = routes::monitoring(state);
        let answers = Answers {
            ordinary: router.clone(),
            reserve: router,
        };
        // Monitoring is not counted among the clients.
        let uncounted = Connections::default();
        listen::serve(listener, answers, &limits, &proxies, &uncounted, pending()).await;
    });
    Ok(serving.abort_handle())
}
