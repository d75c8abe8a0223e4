//! From a configuration and a bound listener to a service that runs until it is told to stop.

mod aside;

use crate::{
    auth::{Readers, Uploaders},
    config::{OriginError, ReportsUrl, RetentionError, Serve},
    database::without_password,
    ingest::{self, UploadQueue},
    ledger::Ledger,
    listen::{self, Patience},
    metrics::Metrics,
    outbound::Outbound,
    readiness::Readiness,
    reports::Reports,
    retention, routes,
    site::Site,
    state::AppState,
    store::{LedgerLimit, Store, StoreError},
    welcome,
};
use app::{PublicUrl, Target};
use aside::Aside;
use leptos::config::LeptosOptions;
use std::{error::Error, io, net::SocketAddr, sync::Arc, time::Duration};
use thiserror::Error;
use tokio::{
    net::TcpListener,
    time::{sleep, timeout},
};
use tokio_util::task::TaskTracker;

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
    /// The folder or bucket of reports cannot be used.
    #[error("cannot use {url} for reports")]
    Reports {
        /// Where they should be.
        url: ReportsUrl,
        /// What went wrong.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// What unfinished uploads had left cannot be swept.
    #[error("cannot sweep what unfinished uploads had left")]
    Sweep(#[source] StoreError),
    /// Reports cannot be kept for as long as it is said.
    #[error("cannot remove reports at PRUNE_AT")]
    Retention(#[source] RetentionError),
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
    /// What protects reading cannot be set up.
    #[error("cannot protect reading")]
    Readers(#[source] StoreError),
    /// Calls to other services cannot be made.
    #[error(
        "cannot prepare calls to other services; they need the system's certificates (Debian's package ca-certificates)"
    )]
    Outbound(#[source] reqwest::Error),
    /// The network failed.
    #[error("cannot serve")]
    Serve(#[source] io::Error),
}

/// How long the database may take to close: a connection that is in use after the grace may never come back.
const CLOSING: Duration = Duration::from_secs(5);

/// Tells `announce` what a person should see first, serves on `listener` until `shutdown` resolves and the delay after it
/// is over, then finishes the requests under way, and the uploads whose clients have left, within the grace.
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
    for advice in config.access.advice() {
        tracing::warn!("{advice}");
    }
    let pruning = match config.prune_at.0 {
        Some(at) => Some((at, config.retention.rules().map_err(StartError::Retention)?)),
        None => None,
    };
    let state = open(&config, &public_url).await?;
    let first_token = match config.access.has_other_ways() {
        true => None,
        false => state
            .uploaders
            .tokens
            .make_first()
            .await
            .map_err(StartError::Token)?,
    };
    let patience = Patience {
        connections: state.limits.max_connections.into(),
        stall: Duration::from_secs(state.limits.response_stall_seconds),
        head: Duration::from_secs(state.limits.request_head_seconds),
    };
    let aside = match config.operations.metrics_addr.0 {
        Some(addr) => Some(Aside::open(addr, state.clone(), patience).await?),
        None => None,
    };
    let (store, reports, uploads) = (
        state.store.clone(),
        state.reports.clone(),
        state.uploads.clone(),
    );
    let _sweeping = ingest::keep_sweeping(store.clone(), reports.clone());
    let pruning = pruning
        .map(|(at, rules)| retention::prune_nightly(store.clone(), reports.clone(), rules, at));
    let (metrics, readiness) = (state.metrics.clone(), state.readiness.clone());
    let router = routes::router(state, aside.is_some());
    announce(&welcome::text(&public_url, first_token.as_deref()));
    let delay = config.operations.shutdown_delay();
    let shutdown = async move {
        shutdown.await;
        readiness.stop();
        sleep(delay).await;
    };
    let clients = metrics.connections();
    let connections = listen::serve(listener, router, patience, clients, shutdown).await;
    drop(pruning);
    let finished = async {
        connections.shutdown().await;
        // Some go on although their clients have hung up.
        uploads.close();
        uploads.wait().await;
        reports.settle().await;
    };
    let mut in_order = timeout(config.operations.shutdown_grace(), finished)
        .await
        .is_ok();
    if let Some(aside) = aside {
        aside.close();
    }
    in_order &= timeout(CLOSING, store.close()).await.is_ok();
    if !in_order {
        tracing::warn!("stopping although requests are still under way");
    }
    Ok(())
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
    let store = Store::open_with(&config.database_url, config.database_connections)
        .await
        .map_err(|source| StartError::Database { url, source })?;
    let scratch = config.scratch_folder.as_deref();
    let reports = Reports::open(&config.reports_url, &config.aws, scratch)
        .await
        .map_err(|source| StartError::Reports {
            url: config.reports_url.clone(),
            source,
        })?;
    ingest::sweep(&store, &reports)
        .await
        .map_err(StartError::Sweep)?;
    let site = Site::open(config.site_root());
    let queue = UploadQueue::new(&config.limits);
    let uploads = TaskTracker::new();
    let outbound = Outbound::new(&config.access).map_err(StartError::Outbound)?;
    let uploaders = Uploaders::new(
        &config.access,
        store.clone(),
        public_url,
        &outbound,
        uploads.clone(),
    );
    let readers = Readers::open(&config.access, &uploaders, &store, public_url)
        .await
        .map_err(StartError::Readers)?;
    Ok(AppState {
        uploaders,
        readers,
        target: Target(config.target),
        facts: config.access.facts(),
        minimum_coverage: config.access.minimum_coverage.0,
        badge_thresholds: config.badge_thresholds,
        max_branches_bytes: config.access.limits.max_branches_bytes,
        metrics: Metrics::new(&config.operations, &store, &reports, &queue),
        readiness: Readiness::new(store.clone(), reports.clone()),
        queue,
        ledger: Ledger::start(store.clone(), LedgerLimit(config.limits.ledger_rows)),
        uploads,
        store,
        reports,
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
