//! From a configuration and a bound listener to a service that runs until it is told to stop.

use crate::{
    auth::Tokens,
    config::{OriginError, Serve},
    reports::Reports,
    routes,
    shutdown::GRACE,
    site::Site,
    state::AppState,
    store::{Store, StoreError},
    welcome,
};
use app::PublicUrl;
use axum::Router;
use leptos::config::LeptosOptions;
use std::{io, net::SocketAddr, path::PathBuf, sync::Arc};
use thiserror::Error;
use tokio::{
    net::TcpListener,
    sync::{Semaphore, oneshot},
    time::sleep,
};

/// Why the service did not start, or stopped by itself.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StartError {
    /// The address is taken or not ours.
    #[error("cannot listen on {addr}")]
    Listen {
        /// The address.
        addr: SocketAddr,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The database does not open.
    #[error("cannot open the database {url}")]
    Database {
        /// Its URL, without a password.
        url: String,
        /// What went wrong.
        #[source]
        source: StoreError,
    },
    /// The folder of reports cannot be used.
    #[error("cannot use the folder {} for reports", folder.display())]
    Reports {
        /// The folder.
        folder: PathBuf,
        /// What went wrong.
        #[source]
        source: io::Error,
    },
    /// Reports cannot be served from the origin that they should have.
    #[error("cannot serve reports from the origin {origin}")]
    ReportsOrigin {
        /// What should be their origin.
        origin: String,
        /// What is wrong with it.
        #[source]
        source: OriginError,
    },
    /// The first token cannot be stored.
    #[error("cannot make the first upload token")]
    Token(#[source] StoreError),
    /// The network failed.
    #[error("cannot serve")]
    Serve(#[source] io::Error),
}

/// Tells `announce` what a person should see first, serves on `listener` until `shutdown` resolves, then finishes the
/// requests under way, for as long as [`GRACE`].
///
/// # Errors
///
/// When the service cannot start.
pub async fn run(
    config: Serve,
    listener: TcpListener,
    announce: impl FnOnce(&str),
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), StartError> {
    let address = listener.local_addr().map_err(StartError::Serve)?;
    let public_url = config.public_url(address);
    let state = open(&config, &public_url).await?;
    let first_token = state.tokens.make_first().await.map_err(StartError::Token)?;
    let store = state.store.clone();
    let router = routes::router(state);
    announce(&welcome::text(&public_url, first_token.as_deref()));
    serve(listener, router, shutdown).await?;
    store.close().await;
    Ok(())
}

async fn serve(
    listener: TcpListener,
    router: Router,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), StartError> {
    let (stopping, stopped) = oneshot::channel();
    let shutdown = async {
        shutdown.await;
        // Nobody listens any more only where serving has ended already.
        stopping.send(()).ok();
    };
    let out_of_patience = async {
        match stopped.await {
            Ok(()) => sleep(GRACE).await,
            Err(_) => std::future::pending().await,
        }
    };
    let serving = axum::serve(listener, router).with_graceful_shutdown(shutdown);
    tokio::select! {
        served = serving => served.map_err(StartError::Serve),
        () = out_of_patience => {
            tracing::warn!("stopping although requests are still under way");
            Ok(())
        }
    }
}

async fn open(config: &Serve, public_url: &str) -> Result<AppState, StartError> {
    let reports_origin =
        config
            .reports_origin(public_url)
            .map_err(|source| StartError::ReportsOrigin {
                origin: config.reports_origin.clone().unwrap_or_default(),
                source,
            })?;
    let url = without_password(&config.database_url);
    let store = Store::open(&config.database_url)
        .await
        .map_err(|source| StartError::Database { url, source })?;
    let folder = config.reports_url.clone();
    let reports =
        Reports::open(folder.clone()).map_err(|source| StartError::Reports { folder, source })?;
    let site = Site::open(config.site_root());
    Ok(AppState {
        tokens: Tokens::new(config.upload_token(), store.clone()),
        store,
        reports,
        upload_permits: Arc::new(Semaphore::new(config.limits.concurrent_uploads.into())),
        limits: Arc::new(config.limits.clone()),
        leptos_options: LeptosOptions::builder()
            .output_name("coverage-dashboard")
            .site_root(site.root.display().to_string())
            .build(),
        site,
        public_url: PublicUrl(public_url.into()),
        reports_origin: reports_origin.map(Arc::new),
    })
}

/// `user:password@` of a URL must not reach a log.
fn without_password(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(at)) if scheme < at => format!("{}://…{}", &url[..scheme], &url[at..]),
        _ => url.to_owned(),
    }
}
