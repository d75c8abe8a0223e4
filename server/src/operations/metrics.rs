//! The metrics of `/metrics`: counters updated as events happen, and values read at the time of a request.
//!
//! Each service has its own registry, so that several in one process do not share counters.

mod coverage;
mod requests;
mod service;
mod storage;

use jobs::notifications::metrics::Notifications;
pub(crate) use requests::{Requests, UnderWay, Uploads};

use crate::{
    http::{budget::Budget, listen::connections::Connections},
    operations::storage::StorageReader,
};
use config::Operations;
use coverage::Coverage;
use ingest::fair_queue::FairQueue;
use objects::Reports;
use prometheus_client::{
    collector::Collector,
    encoding::{
        DescriptorEncoder, EncodeGaugeValue, EncodeLabelSet,
        text::{encode_eof, encode_registry},
    },
    metrics::{MetricType, gauge::Gauge, info::Info},
    registry::Registry,
};
use service::Service;
use std::{
    fmt,
    sync::{Arc, atomic::AtomicU64},
    time::{SystemTime, UNIX_EPOCH},
};
use store::Store;

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
    pub(crate) requests: Requests,
    pub(crate) uploads: Uploads,
    pub(crate) notifications: Notifications,
    pub(crate) connections: Connections,
    coverage: Arc<Coverage>,
    storage: StorageReader,
}

impl Metrics {
    /// Starts to count. The values of the given parts are read at each request.
    pub fn new(
        operations: &Operations,
        store: &Store,
        reports: &Reports,
        queue: &FairQueue,
        budget: &Budget,
        storage: &StorageReader,
    ) -> Self {
        let mut registry = Registry::default();
        let requests = Requests::registered(&mut registry);
        let uploads = Uploads::registered(&mut registry);
        let notifications = Notifications::registered(&mut registry);
        let connections = Connections::registered(&mut registry);
        registry.register_collector(Box::new(Service {
            store: store.clone(),
            reports: reports.clone(),
            queue: queue.clone(),
            budget: budget.clone(),
        }));
        register_process(&mut registry);
        Self {
            registry: Arc::new(registry),
            requests,
            uploads,
            notifications,
            connections,
            coverage: Arc::new(Coverage::new(operations, store.clone())),
            storage: storage.clone(),
        }
    }

    /// Returns all metrics as text. If the database does not answer, only its metrics are missing. An error is a bug: a value
    /// cannot be expressed in OpenMetrics.
    pub(crate) async fn text(&self) -> Result<String, fmt::Error> {
        let coverage = self.coverage.text().await?;
        let storage = storage::text(&self.storage).await?;
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

fn written(collector: impl Collector) -> Result<String, fmt::Error> {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(collector));
    let mut text = String::new();
    encode_registry(&mut text, &registry)?;
    Ok(text)
}

fn gauge(
    encoder: &mut DescriptorEncoder,
    name: &str,
    about: &str,
    value: impl EncodeGaugeValue,
) -> fmt::Result {
    let mut encoder = encoder.encode_descriptor(name, about, None, MetricType::Gauge)?;
    encoder.encode_gauge(&value)
}

/// Writes a gauge with a value for each of some labels.
fn gauges<Labels: EncodeLabelSet, Value: EncodeGaugeValue>(
    encoder: &mut DescriptorEncoder,
    name: &str,
    about: &str,
    values: impl IntoIterator<Item = (Labels, Value)>,
) -> fmt::Result {
    let mut family = encoder.encode_descriptor(name, about, None, MetricType::Gauge)?;
    for (labels, value) in values {
        family.encode_family(&labels)?.encode_gauge(&value)?;
    }
    Ok(())
}
