//! The separate address for monitoring. It answers until the service has finished its work.

use super::StartError;
use crate::{
    http::listen::{self, Answers, ConnectionLimits, connections::Connections},
    routes,
    state::AppState,
};
use std::{future::pending, net::SocketAddr};
use tokio::{net::TcpListener, task::AbortHandle};

pub(super) struct Monitoring(AbortHandle);

impl Monitoring {
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
            let router = routes::monitoring(state);
            let answers = Answers {
                ordinary: router.clone(),
                reserve: router,
            };
            // Monitoring is not counted among the clients.
            let uncounted = Connections::default();
            listen::serve(listener, answers, &limits, &uncounted, pending()).await;
        });
        Ok(Self(serving.abort_handle()))
    }

    pub(super) fn close(self) {
        self.0.abort();
    }
}
