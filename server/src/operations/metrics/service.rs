//! Metrics read from parts of the service at a request: the queue of uploads, heavy reads, database connections, the cache of
//! open reports.

use crate::http::budget::Budget;
use ingest::UploadQueue;
use objects::Reports;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeGaugeValue, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
};
use std::fmt;
use store::Store;

#[derive(Debug)]
pub(super) struct Service {
    store: Store,
    reports: Reports,
    queue: UploadQueue,
    budget: Budget,
}

impl Service {
    pub(super) fn new(
        store: &Store,
        reports: &Reports,
        queue: &UploadQueue,
        budget: &Budget,
    ) -> Self {
        Self {
            store: store.clone(),
            reports: reports.clone(),
            queue: queue.clone(),
            budget: budget.clone(),
        }
    }
}

impl Collector for Service {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        queue(&self.queue, &mut encoder)?;
        heavy_reads(&self.budget, &mut encoder)?;
        pools(&self.store, &mut encoder)?;
        cache(&self.reports, &mut encoder)
    }
}

fn queue(queue: &UploadQueue, encoder: &mut DescriptorEncoder) -> fmt::Result {
    gauge(
        encoder,
        "coverage_uploads_running",
        "Uploads that are being unpacked.",
        queue.running(),
    )?;
    gauge(
        encoder,
        "coverage_uploads_waiting",
        "Uploads that wait for a permit.",
        queue.waiting(),
    )
}

fn heavy_reads(budget: &Budget, encoder: &mut DescriptorEncoder) -> fmt::Result {
    gauge(
        encoder,
        "coverage_heavy_reads_running",
        "Heavy reads in progress.",
        budget.heavy_reads_running(),
    )?;
    gauge(
        encoder,
        "coverage_heavy_reads_waiting",
        "Heavy reads that wait for a permit.",
        budget.heavy_reads_waiting(),
    )
}

fn pools(store: &Store, encoder: &mut DescriptorEncoder) -> fmt::Result {
    let pools = store.pools();
    let mut connections = encoder.encode_descriptor(
        "database_connections",
        "Connections to the database by pool and by state (idle or used).",
        None,
        MetricType::Gauge,
    )?;
    for pool in &pools {
        for (state, number) in [("idle", pool.idle), ("used", pool.used())] {
            let labels = [("pool", pool.name), ("state", state)];
            connections.encode_family(&labels)?.encode_gauge(&number)?;
        }
    }
    let mut most = encoder.encode_descriptor(
        "database_connections_max",
        "The most connections to the database.",
        None,
        MetricType::Gauge,
    )?;
    for pool in &pools {
        let labels = [("pool", pool.name)];
        most.encode_family(&labels)?.encode_gauge(&pool.most)?;
    }
    Ok(())
}

fn cache(reports: &Reports, encoder: &mut DescriptorEncoder) -> fmt::Result {
    let cache = reports.cache();
    gauge(
        encoder,
        "coverage_report_cache_entries",
        "Open reports in the cache.",
        cache.entries,
    )?;
    gauge(
        encoder,
        "coverage_report_cache_bytes",
        "Bytes of the tables of contents of open reports.",
        cache.bytes,
    )?;
    counter(
        encoder,
        "coverage_report_cache_hits",
        "Requests for a report that was already open.",
        cache.hits,
    )?;
    counter(
        encoder,
        "coverage_report_cache_misses",
        "Reports that had to be opened.",
        cache.misses,
    )
}

fn gauge<N: EncodeGaugeValue>(
    encoder: &mut DescriptorEncoder,
    name: &str,
    help: &str,
    value: N,
) -> fmt::Result {
    let value = ConstGauge::new(value);
    value.encode(encoder.encode_descriptor(name, help, None, MetricType::Gauge)?)
}

fn counter(encoder: &mut DescriptorEncoder, name: &str, help: &str, value: u64) -> fmt::Result {
    let value = ConstCounter::new(value);
    value.encode(encoder.encode_descriptor(name, help, None, MetricType::Counter)?)
}
