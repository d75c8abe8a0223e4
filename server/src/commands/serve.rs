//! Starts the service from a configuration and a bound listener, and runs it until shutdown.

mod facts;
mod monitoring;
mod settings;

use crate::{
    commands::{database::without_password, welcome},
    http::{
        budget::Budget,
        listen::{self, Answers, ConnectionLimits},
        site::Site,
    },
    operations::{metrics::Metrics, readiness::Readiness, storage::StorageReader},
    routes,
    state::{AppState, Service},
};
use access::{Admins, Readers, Uploaders};
use app::{PublicUrl, Target, links::ReportLinks};
use config::{OriginError, RetentionError, Serve};
use facts::facts;
use forges::outbound::Outbound;
use ingest::{Ingest, Turns, UploadQueue, ledger::Ledger};
use jobs::{
    notifications::{keep_notifying, webhook_client},
    parts, retention, sweeper, upkeep,
};
use leptos::config::LeptosOptions;
use monitoring::Monitoring;
use objects::{Reports, ReportsUrl};
use review::Review;
use std::{error::Error, io, net::SocketAddr, sync::Arc, time::Duration};
use store::{LedgerLimit, Store, StoreError, StoreOptions};
use thiserror::Error;
use tokio::{
    net::TcpListener,
    time::{sleep, timeout},
};
use tokio_util::task::TaskTracker;

/// Why the service did not start, or stopped without a shutdown.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StartError {
    /// The address is in use or does not belong to this machine.
    #[error("cannot listen on {addr}")]
    Listen {
        /// The address.
        addr: SocketAddr,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The database cannot be opened.
    #[error("cannot open the database {url}")]
    Database {
        /// Its URL, without a password.
        url: String,
        /// What went wrong.
        #[source]
        source: StoreError,
    },
    /// The folder or bucket of reports cannot be used.
    #[error("cannot use {url} for HTML reports")]
    Reports {
        /// The configured URL.
        url: ReportsUrl,
        /// What went wrong.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// Orphaned reports cannot be looked up.
    #[error("cannot look up orphaned reports in the database")]
    Sweep(#[source] StoreError),
    /// The retention rules are missing or contradict each other.
    #[error("PRUNE_AT needs valid retention rules")]
    Retention(#[source] RetentionError),
    /// REPORTS_ORIGIN cannot be used.
    #[error("cannot serve reports from the origin {origin}")]
    ReportsOrigin {
        /// The configured origin.
        origin: String,
        /// What is wrong with it.
        #[source]
        source: OriginError,
    },
    /// The settings of access contradict each other.
    #[error("{0}")]
    Access(&'static str),
    /// The settings of notifications contradict each other.
    #[error("cannot notify webhooks: {0}")]
    Notifications(&'static str),
    /// The first token cannot be stored.
    #[error("cannot create the first upload token")]
    Token(#[source] StoreError),
    /// Read protection cannot be set up.
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

/// How long the database may take to close. A connection still in use after the shutdown grace may never be released.
const CLOSING: Duration = Duration::from_secs(5);

/// Passes the startup message to `announce`, serves on `listener` until `shutdown` resolves and the shutdown delay is over,
/// then finishes running requests, and uploads whose clients have disconnected, within the shutdown grace.
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
    if let Some(mistake) = config
        .access
        .mistake(config.has_public_url().then_some(&public_url))
    {
        return Err(StartError::Access(mistake));
    }
    if let Some(mistake) = config.notifications.mistake() {
        return Err(StartError::Notifications(mistake));
    }
    if !config.notifications.webhooks.is_empty() && !config.has_public_url() {
        tracing::warn!("PUBLIC_URL is not set, so links in notifications lead to {public_url}");
    }
    let pruning = match config.prune_at.0 {
        Some(at) => Some((at, config.retention.rules().map_err(StartError::Retention)?)),
        None => None,
    };
    let state = open(&config, &public_url).await?;
    let first_token = if config.access.has_other_ways() {
        None
    } else {
        state
            .uploaders
            .tokens
            .make_first()
            .await
            .map_err(StartError::Token)?
    };
    let limits = ConnectionLimits::new(&config.limits, &config.access.trusted_proxies);
    let monitoring = match config.operations.metrics_addr.0 {
        Some(addr) => Some(Monitoring::open(addr, state.clone(), limits.clone()).await?),
        None => None,
    };
    let (store, reports, uploads) = (
        state.store.clone(),
        state.reports.clone(),
        state.uploads.clone(),
    );
    let grace = config.report_grace;
    let sweeping = sweeper::keep_sweeping(store.clone(), reports.clone(), grace);
    let renewing = upkeep::keep_renewing(store.clone());
    let ending = upkeep::keep_removing_sessions(store.clone());
    let keep_lines = config.keep_lines_days.0;
    let expiring = keep_lines.map(|days| upkeep::keep_deleting_lines(store.clone(), days.0));
    let timing_out = parts::keep_timing_out(state.review.clone(), config.parts_timeout);
    let notifying = match config.notifications.webhooks.is_empty() {
        true => Vec::new(),
        false => {
            let client = webhook_client(&config).map_err(StartError::Outbound)?;
            let metrics = state.metrics.notifications();
            keep_notifying(
                store.clone(),
                &config.notifications,
                client,
                &public_url,
                metrics,
            )
        }
    };
    let pruning = pruning.map(|(at, rules)| {
        retention::prune_nightly(store.clone(), reports.clone(), rules, grace, at)
    });
    let (metrics, readiness) = (state.metrics.clone(), state.readiness.clone());
    let answers = Answers {
        reserve: routes::reserve(state.clone()),
        ordinary: routes::router(state, monitoring.is_some()),
    };
    announce(&welcome::text(&public_url, first_token.as_deref()));
    let delay = config.operations.shutdown_delay();
    let shutdown = async move {
        shutdown.await;
        readiness.stop();
        sleep(delay).await;
    };
    let clients = metrics.connections();
    let connections = listen::serve(listener, answers, &limits, clients, shutdown).await;
    drop((sweeping, renewing, ending));
    drop((expiring, timing_out, notifying, pruning));
    let finished = async {
        connections.shutdown().await;
        // Some uploads continue after their clients have disconnected.
        uploads.close();
        uploads.wait().await;
        reports.settle().await;
    };
    let mut in_order = timeout(config.operations.shutdown_grace(), finished)
        .await
        .is_ok();
    if let Some(monitoring) = monitoring {
        monitoring.close();
    }
    in_order &= timeout(CLOSING, store.close()).await.is_ok();
    if !in_order {
        tracing::warn!("stopping while requests are still running");
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
    let options = StoreOptions {
        connections: config.database_connections,
        statement_timeout: config.database_statement_timeout(),
        notes_uploads: !config.notifications.webhooks.is_empty(),
    };
    let store = Store::open_with(&config.database_url, options)
        .await
        .map_err(|source| StartError::Database { url, source })?;
    let scratch = config.scratch_folder.as_deref();
    let reports = Reports::open(&config.reports_url, &config.aws, scratch)
        .await
        .map_err(|source| StartError::Reports {
            url: config.reports_url.clone(),
            source,
        })?;
    sweeper::sweep(&store, &reports, config.report_grace)
        .await
        .map_err(StartError::Sweep)?;
    let limits = Arc::new(config.limits.clone());
    let site = Site::open(config.site_root());
    let queue = UploadQueue::new(&config.limits);
    let budget = Budget::new(
        &config.limits,
        &config.access.trusted_proxies,
        config.database_connections,
    );
    let uploads = TaskTracker::new();
    let outbound = Outbound::new(&config.access).map_err(StartError::Outbound)?;
    let uploaders = Uploaders::new(
        &config.access,
        store.clone(),
        public_url,
        &outbound,
        uploads.clone(),
    );
    let readers = Readers::open(&config.access, &uploaders, &store, public_url, &outbound)
        .await
        .map_err(StartError::Readers)?;
    let storage = StorageReader::new(config, &store);
    let metrics = Metrics::new(
        &config.operations,
        &store,
        &reports,
        &queue,
        &budget,
        &storage,
    );
    let ingest = Ingest {
        store: store.clone(),
        reports: reports.clone(),
        limits: limits.clone(),
        queue,
        grace: config.report_grace,
        turns: Turns::default(),
    };
    let review = Review {
        store: store.clone(),
        ingest: ingest.clone(),
        forges: uploaders.forges().clone(),
        tasks: uploads.clone(),
        public_url: public_url.to_owned(),
        reports: ReportLinks::new(reports_origin.as_ref().map(ToString::to_string)),
        minimum_coverage: config.access.minimum_coverage.0,
    };
    let service = Service {
        admins: Admins::new(&config.access, &uploaders, &store, public_url),
        uploaders,
        readers,
        target: Target(config.target),
        facts: facts(&config.access),
        settings: Arc::new(settings::of(config, &store)),
        badge_scale: config.badge_scale(),
        max_branches_bytes: config.access.limits.max_branches_bytes,
        metrics,
        storage,
        budget,
        readiness: Readiness::new(store.clone(), reports.clone()),
        ingest,
        review,
        parts_timeout: config.parts_timeout,
        ledger: Ledger::start(store.clone(), LedgerLimit(config.limits.ledger_rows)),
        uploads,
        reports,
        limits,
        leptos_options: LeptosOptions::builder()
            .output_name("coverage-dashboard")
            .site_root(site.root.display().to_string())
            .build(),
        site,
        public_url: PublicUrl(public_url.into()),
        allowed_hosts: config.allowed_hosts.clone(),
        reports_origin: reports_origin.map(Arc::new),
    };
    Ok(AppState::new(store, service))
}
