//! Gauges of the storage that HTML reports and the database use.

use super::{gauge, gauges, written};
use crate::operations::storage::StorageReader;
use domain::{Age, Storage, Stored, Timestamp};
use prometheus_client::{collector::Collector, encoding::DescriptorEncoder};
use std::{fmt, sync::Arc};

/// Returns an empty text if the database has not answered yet.
pub(super) async fn text(reader: &StorageReader) -> Result<String, fmt::Error> {
    let read = reader.read_rarely().await;
    read.map_or_else(|| Ok(String::new()), |storage| written(Reading(storage)))
}

#[derive(Debug)]
struct Reading(Arc<Storage>);

impl Collector for Reading {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let (encoder, storage) = (&mut encoder, &self.0);
        let ages = || Age::ALL.iter().copied().zip(storage.ages);
        let reports = ages().map(|(age, stored)| ([("age", age.word())], stored.reports));
        let about = "HTML reports of records by the days since their upload.";
        gauges(encoder, "coverage_stored_reports", about, reports)?;
        let bytes = ages().map(|(age, stored)| ([("age", age.word())], stored.bytes));
        let about = "Bytes of the HTML reports of records by the days since their upload.";
        gauges(encoder, "coverage_stored_report_bytes", about, bytes)?;
        pair(encoder, "pinned", "pinned HTML reports", storage.pins.all)?;
        let which = "replaced and pruned HTML reports in their grace period";
        pair(encoder, "released", which, storage.released.stored)?;
        let prune = storage.retention.prune();
        if let Some(prune) = prune {
            let which = "HTML reports that the retention rules remove at the next prune";
            pair(encoder, "prunable", which, prune.removed)?;
        }
        if let Some(next) = prune.and_then(|prune| prune.next) {
            let name = "coverage_next_prune_timestamp_seconds";
            let about = "When the service prunes HTML reports next, in seconds since 1970.";
            gauge(encoder, name, about, seconds(next))?;
        }
        if let Some(bytes) = storage.database_bytes {
            let about = "Bytes of the database.";
            gauge(encoder, "database_size_bytes", about, bytes)?;
        }
        let name = "coverage_storage_read_timestamp_seconds";
        let about = "When the numbers of stored HTML reports were read, in seconds since 1970.";
        gauge(encoder, name, about, seconds(storage.at))
    }
}

/// The number and the bytes of some HTML reports.
fn pair(encoder: &mut DescriptorEncoder, kind: &str, which: &str, stored: Stored) -> fmt::Result {
    let (name, about) = (
        format!("coverage_{kind}_reports"),
        format!("The number of {which}."),
    );
    gauge(encoder, &name, &about, stored.reports)?;
    let (name, about) = (
        format!("coverage_{kind}_report_bytes"),
        format!("Bytes of {which}."),
    );
    gauge(encoder, &name, &about, stored.bytes)
}

fn seconds(at: Timestamp) -> f64 {
    at.0 as f64 / 1e6
}
