//! The metrics of `/metrics`: counters updated as events happen, and values read at the time of a request.
//!
//! Each service has its own registry, so that several in one process do not share counters.

mod coverage;
mod requests;
mod service;
mod storage;
mod uploads;

use jobs::notifications::metrics::Notifications;
pub(crate) use requests::{RequestLabels, Requests, UnderWay};

use crate::{
    http::{budget::Budget, listen::connections::Connections},
    operations::storage::StorageReader,
};
use config::Operations;
use coverage::Coverage;
use ingest::UploadQueue;
use objects::Reports;
use prometheus_client::{
    encoding::text::{encode_eof, encode_registry},
    metrics::{gauge::Gauge, info::Info},
    registry::Registry,
};
use service::Service;
use std::{
    fmt,
    sync::{Arc, atomic::AtomicU64},
    time::{SystemTime, UNIX_EPOCH},
};
use storage::StorageGauges;
use store::Store;
use uploads::Uploads;

/// The format of the response: OpenMetrics, which Prometheus supports since 2.5.
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// From a millisecond (a cached badge) to a minute (an upload of a few hundred megabytes).
const SECONDS: [f64; 15] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0,
];

/// All metrics. Clones share them.
#[derive(Clone, Debug)]
pub struct Metrics {
    registry: Arc<Registry>,
    requests: Requests,
    uploads: Uploads,
    notifications: Notifications,
    connections: Connections,
    coverage: Arc<Coverage>,
    storage: StorageGauges,
}

impl Metrics {
    /// Starts to count. The values of the given parts are read at each request.
    pub fn new(
        operations: &Operations,
        store: &Store,
        reports: &Reports,
        queue: &UploadQueue,
        budget: &Budget,
        storage: &StorageReader,
    ) -> Self {
        let mut registry = Registry::default();
        let requests = Requests::registered(&mut registry);
        let uploads = Uploads::registered(&mut registry);
        let notifications = Notifications::registered(&mut registry);
        let connections = Connections::registered(&mut registry);
        registry.register_collector(Box::new(Service::new(store, reports, queue, budget)));
        register_process(&mut registry);
        Self {
            registry: Arc::new(registry),
            requests,
            uploads,
            notifications,
            connections,
            coverage: Arc::new(Coverage::new(operations, store.clone())),
            storage: StorageGauges::new(storage),
        }
    }

    pub(crate) fn requests(&self) -> &Requests {
        &self.requests
    }

    pub(crate) fn uploads(&self) -> &Uploads {
        &self.uploads
    }

    pub(crate) fn notifications(&self) -> &Notifications {
        &self.notifications
    }

    pub(crate) fn connections(&self) -> &Connections {
        &self.connections
    }

    /// Returns all metrics as text. If the database does not answer, only its metrics are missing. An error is a bug: a value
    /// cannot be expressed in OpenMetrics.
    pub(crate) async fn text(&self) -> Result<String, fmt::Error> {
        let coverage = self.coverage.text().await?;
        let storage = self.storage.text().await?;
        let mut text = String::with_capacity(coverage.len() + storage.len() + (16 << 10));
        encode_registry(&mut text, &self.registry)?;
        text.push_str(&coverage);
        text.push_str(&storage);
        encode_eof(&mut text)?;
        Ok(text)
    }
}

fn register_process(registry: &mut Registry) {
    let started = Gauge::<f64, AtomicU64>::default();
    #[expect(
        clippy::disallowed_methods,
        reason = "Prometheus compares it with its own clock"
    )]
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
    started.set(since_epoch.unwrap_or_default().as_secs_f64());
    registry.register(
        "process_start_time_seconds",
        "When the service started, in seconds since 1970",
        started,
    );
    registry.register(
        "coverage_dashboard_build",
        "The release that runs",
        Info::new([("version", env!("CARGO_PKG_VERSION"))]),
    );
}
