//! The address of its own for those who watch the service. It answers until the service has finished its work.

use super::StartError;
use crate::{
    http::listen::{self, ConnectionLimits, Routers, connections::Connections},
    routes,
    state::AppState,
};
use std::{future::pending, net::SocketAddr};
use tokio::{net::TcpListener, task::AbortHandle};

/// What serves there.
pub(super) struct Aside(AbortHandle);

impl Aside {
    /// Begins to serve.
    ///
    /// # Errors
    ///
    /// When the address is taken or not ours.
    pub(super) async fn open(
        addr: SocketAddr,
        state: AppState,
        limits: ConnectionLimits,
    ) -> Result<Self, StartError> {
        let failed = |source| StartError::Listen { addr, source };
        let listener = TcpListener::bind(addr).await.map_err(failed)?;
        let addr = listener.local_addr().map_err(failed)?;
        tracing::info!("metrics are served at http://{addr}/metrics");
        let serving = tokio::spawn(async move {
            let router = routes::aside(state);
            let routers = Routers {
                ordinary: router.clone(),
                reserve: router,
            };
            // Who watches is not counted among the clients.
            let uncounted = Connections::default();
            listen::serve(listener, routers, &limits, &uncounted, pending()).await;
        });
        Ok(Self(serving.abort_handle()))
    }

    /// Ends it.
    pub(super) fn close(self) {
        self.0.abort();
    }
}
