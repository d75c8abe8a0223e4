//! Starts the service from a configuration and a bound listener, and runs it until shutdown.

mod shown;

use crate::{
    commands::{CommandError, database::without_password, refuse},
    http::{
        budget::Budget,
        listen::{self, Answers, connections::Connections},
        site::Site,
    },
    operations::{metrics::Metrics, readiness::Readiness, storage::StorageReader},
    routes,
    state::{AppState, Service},
};
use access::{Admins, Readers, Uploaders};
use app::{PublicUrl, Target, links::ReportLinks};
use config::{RetentionError, Serve, SourceText, access::TrustedProxies};
use forges::outbound::Outbound;
use ingest::{Ingest, Turns, ledger::Ledger, upload_queue};
use jobs::{
    notifications::{keep_notifying, webhook_client},
    parts, retention, sweeper, upkeep,
};
use leptos::config::LeptosOptions;
use objects::Reports;
use review::{Places, Review};
use std::{future::pending, io, net::SocketAddr, sync::Arc, time::Duration};
use store::{LedgerLimit, Store, StoreOptions};
use tokio::{
    net::TcpListener,
    task::AbortHandle,
    time::{sleep, timeout},
};
use tokio_util::task::TaskTracker;

/// The time after which PostgreSQL cancels a statement of the service. Pages and uploads need milliseconds, and a statement that
/// takes longer keeps a connection from others. Commands and migrations have no limit.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(30);

/// How long the database may take to close. A connection still in use after the shutdown grace may never be released.
const CLOSING: Duration = Duration::from_secs(5);

const NO_CALLS: &str = "cannot prepare calls to other services; they need the system's certificates (Debian's package ca-certificates)";

/// Passes the startup message to `announce`, serves on `listener` until `shutdown` resolves and the shutdown delay is over,
/// then finishes running requests, and uploads whose clients have disconnected, within the shutdown grace.
pub async fn run(
    config: Serve,
    listener: TcpListener,
    announce: impl FnOnce(&str),
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), CommandError> {
    let address = listener.local_addr();
    let address = address.map_err(CommandError::failed("cannot serve"))?;
    let public_url = config.public_url(address);
    for advice in config.access.advice() {
        tracing::warn!("{advice}");
    }
    let stated_url = config.has_public_url().then_some(public_url.as_str());
    if let Some(mistake) = config.access.mistake(stated_url) {
        return refuse(mistake);
    }
    if let Some(mistake) = config.notifications.mistake() {
        return refuse(format!("cannot notify webhooks: {mistake}"));
    }
    if !config.notifications.webhooks.is_empty() && !config.has_public_url() {
        tracing::warn!("PUBLIC_URL is not set, so links in notifications lead to {public_url}");
    }
    let pruning = config
        .prune_at
        .0
        .map(|at| Ok((at, config.retention.rules()?)));
    let pruning: Result<_, RetentionError> = pruning.transpose();
    let pruning = pruning.map_err(CommandError::failed("PRUNE_AT needs valid retention rules"))?;
    let state = open(&config, &public_url).await?;
    let first_token = if config.access.has_other_ways() {
        None
    } else {
        let made = state.uploaders.tokens.make_first().await;
        made.map_err(CommandError::failed("cannot create the first upload token"))?
    };
    let (limits, proxies) = (&config.limits, &config.access.trusted_proxies);
    let monitoring = match config.operations.metrics_addr.0 {
        Some(addr) => Some(monitor(addr, state.clone(), proxies.clone()).await?),
        None => None,
    };
    let (store, reports, uploads) = (
        state.store.clone(),
        state.reports.clone(),
        state.uploads.clone(),
    );
    let grace = config.report_grace;
    let mut tasks = vec![
        sweeper::keep_sweeping(store.clone(), reports.clone(), grace),
        upkeep::keep_renewing(store.clone()),
        upkeep::keep_counting(store.clone()),
        upkeep::keep_removing_sessions(store.clone()),
        upkeep::keep_removing_thrown_out(store.clone()),
        parts::keep_timing_out(state.review.clone(), config.parts_timeout),
    ];
    let keep_lines = config.keep_lines_days.0;
    tasks.extend(keep_lines.map(|days| upkeep::keep_deleting_lines(store.clone(), days.0)));
    if !config.notifications.webhooks.is_empty() {
        let client = webhook_client(&config).map_err(CommandError::failed(NO_CALLS))?;
        let metrics = &state.metrics.notifications;
        let hooks = &config.notifications;
        tasks.extend(keep_notifying(
            store.clone(),
            hooks,
            client,
            &public_url,
            metrics,
        ));
    }
    tasks.extend(pruning.map(|(at, rules)| {
        retention::prune_nightly(store.clone(), reports.clone(), rules, grace, at)
    }));
    let (metrics, readiness) = (state.metrics.clone(), state.readiness.clone());
    let answers = Answers {
        reserve: routes::reserve(state.clone()),
        ordinary: routes::router(state, monitoring.is_some()),
    };
    announce(&welcome(&public_url, first_token.as_deref()));
    let delay = Duration::from_secs(config.operations.shutdown_delay_seconds);
    let shutdown = async move {
        shutdown.await;
        readiness.stop();
        sleep(delay).await;
    };
    let clients = &metrics.connections;
    let connections = listen::serve(listener, answers, limits, proxies, clients, shutdown).await;
    drop(tasks);
    let finished = async {
        connections.shutdown().await;
        // Some uploads continue after their clients have disconnected.
        uploads.close();
        uploads.wait().await;
        reports.settle().await;
    };
    let grace = Duration::from_secs(config.operations.shutdown_grace_seconds);
    let mut in_order = timeout(grace, finished).await.is_ok();
    if let Some(monitoring) = monitoring {
        monitoring.abort();
    }
    in_order &= timeout(CLOSING, store.close()).await.is_ok();
    if !in_order {
        tracing::warn!("stopping while requests are still running");
    }
    Ok(())
}

/// Serves the separate address for monitoring until the service has finished its work.
async fn monitor(
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

/// Returns the message at startup: the address, the first token if one was created, and an upload command to paste.
fn welcome(public_url: &str, first_token: Option<&str>) -> String {
    let token = match first_token {
        Some(token) => format!("Upload token, shown only once: {token}"),
        None => "To create an upload token: coverage-dashboard token create --name ci".to_owned(),
    };
    let command = app::upload_command(public_url, first_token.unwrap_or("$COVERAGE_TOKEN"));
    format!(
        "\n  Coverage dashboard: {public_url}\n\n  {token}\n\n  Upload the coverage of a project, in its folder, after its tests ran with coverage:\n\n    {command}\n\n"
    )
}

async fn open(config: &Serve, public_url: &str) -> Result<AppState, CommandError> {
    let reports_origin = config.reports_origin(public_url);
    let reports_origin = reports_origin.map_err(CommandError::failed(format!(
        "cannot serve reports from the origin {}",
        config.reports_origin.as_deref().unwrap_or_default()
    )))?;
    let url = without_password(&config.database_url);
    let options = StoreOptions {
        connections: config.database_connections,
        statement_timeout: Some(STATEMENT_TIMEOUT),
        notes_uploads: !config.notifications.webhooks.is_empty(),
    };
    let store = Store::open_with(&config.database_url, options).await;
    let store = store.map_err(CommandError::failed(format!(
        "cannot open the database {url}"
    )))?;
    store.end_long_waits(STATEMENT_TIMEOUT);
    let store = match &config.database_read_url {
        Some(url) => store.with_replica(url, options),
        None => Ok(store),
    };
    let store = store.map_err(CommandError::failed("cannot use the read replica"))?;
    let scratch = config.scratch_folder.as_deref();
    let url = &config.reports_url;
    let reports = Reports::open(url, &config.aws, scratch).await;
    let reports = reports.map_err(CommandError::failed(format!(
        "cannot use {url} for HTML reports"
    )))?;
    let swept = sweeper::sweep(&store, &reports, config.report_grace).await;
    swept.map_err(CommandError::failed(
        "cannot look up orphaned reports in the database",
    ))?;
    let limits = Arc::new(config.limits.clone());
    let site = Site::open(config.site_root());
    let queue = upload_queue(&config.limits);
    let budget = Budget::new(
        &config.limits,
        &config.access.trusted_proxies,
        config.database_connections,
    );
    let uploads = TaskTracker::new();
    let outbound = Outbound::new(&config.access).map_err(CommandError::failed(NO_CALLS))?;
    let uploaders = Uploaders::new(
        &config.access,
        store.clone(),
        public_url,
        &outbound,
        uploads.clone(),
    );
    let readers = Readers::open(&config.access, &uploaders, &store, public_url, &outbound).await;
    let readers = readers.map_err(CommandError::failed("cannot protect reading"))?;
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
        accepts_sources: config.sources == SourceText::Accept,
    };
    let review = Review {
        store: store.clone(),
        ingest: ingest.clone(),
        forges: uploaders.forges.clone(),
        tasks: uploads.clone(),
        places: Places {
            public_url: public_url.to_owned(),
            reports: ReportLinks::new(reports_origin.as_ref().map(ToString::to_string)),
        },
        minimum_coverage: config.access.minimum_coverage.0,
        queue_pause: Duration::from_secs(config.access.limits.vcs_queue_seconds),
    };
    let service = Service {
        admins: Admins::new(&config.access, &uploaders, &store, public_url),
        uploaders,
        readers,
        target: Target(config.target),
        facts: shown::facts(&config.access),
        settings: Arc::new(shown::settings(config, &store)),
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
        accept: config.access.accept.clone(),
        reports_origin: reports_origin.map(Arc::new),
    };
    let service = Arc::new(service);
    Ok(AppState { store, service })
}
