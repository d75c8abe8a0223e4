//! Metrics read from parts of the service at a request: the queue of uploads, heavy reads, database connections, the cache of
//! open reports.

use super::{gauge, gauges};
use crate::http::budget::Budget;
use ingest::fair_queue::FairQueue;
use objects::Reports;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter},
};
use std::fmt;
use store::Store;

#[derive(Debug)]
pub(super) struct Service {
    pub(super) store: Store,
    pub(super) reports: Reports,
    pub(super) queue: FairQueue,
    pub(super) budget: Budget,
}

impl Collector for Service {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let (queue, budget, cache) = (&self.queue, &self.budget, self.reports.cache());
        let encoder = &mut encoder;
        let name = "coverage_uploads_running";
        let about = "Uploads that are being unpacked.";
        gauge(encoder, name, about, queue.running())?;
        let name = "coverage_uploads_waiting";
        let about = "Uploads that wait for a permit.";
        gauge(encoder, name, about, queue.waiting())?;
        let name = "coverage_heavy_reads_running";
        let about = "Heavy reads in progress.";
        gauge(encoder, name, about, budget.heavy_reads.running())?;
        let name = "coverage_heavy_reads_waiting";
        let about = "Heavy reads that wait for a permit.";
        gauge(encoder, name, about, budget.heavy_reads.waiting())?;
        pools(&self.store, encoder)?;
        let name = "coverage_report_cache_entries";
        gauge(encoder, name, "Open reports in the cache.", cache.entries)?;
        let name = "coverage_report_cache_bytes";
        let about = "Bytes of the tables of contents of open reports.";
        gauge(encoder, name, about, cache.bytes)?;
        let name = "coverage_report_cache_hits";
        let about = "Requests for a report that was already open.";
        counter(encoder, name, about, cache.hits)?;
        let name = "coverage_report_cache_misses";
        let about = "Reports that had to be opened.";
        counter(encoder, name, about, cache.misses)
    }
}

fn pools(store: &Store, encoder: &mut DescriptorEncoder) -> fmt::Result {
    let pools = store.pools();
    let connections = pools.iter().flat_map(|pool| {
        let states = [("idle", pool.idle), ("used", pool.used())];
        states.map(|(state, number)| ([("pool", pool.name), ("state", state)], number))
    });
    let about = "Connections to the database by pool and by state (idle or used).";
    gauges(encoder, "database_connections", about, connections)?;
    let most = pools.iter().map(|pool| ([("pool", pool.name)], pool.most));
    let about = "The most connections to the database.";
    gauges(encoder, "database_connections_max", about, most)
}

fn counter(encoder: &mut DescriptorEncoder, name: &str, help: &str, value: u64) -> fmt::Result {
    let value = ConstCounter::new(value);
    value.encode(encoder.encode_descriptor(name, help, None, MetricType::Counter)?)
}
