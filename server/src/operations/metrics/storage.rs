//! Gauges of the storage that HTML reports and the database use.

use crate::operations::storage::StorageReader;
use domain::{Age, Storage, Stored, Timestamp};
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeGaugeValue, text::encode_registry},
    metrics::MetricType,
    registry::Registry,
};
use std::{fmt, sync::Arc};

#[derive(Clone, Debug)]
pub(super) struct StorageGauges {
    reader: StorageReader,
}

impl StorageGauges {
    pub(super) fn new(reader: &StorageReader) -> Self {
        Self {
            reader: reader.clone(),
        }
    }

    /// Returns an empty text if the database has not answered yet.
    pub(super) async fn text(&self) -> Result<String, fmt::Error> {
        self.reader
            .read_rarely()
            .await
            .map_or_else(|| Ok(String::new()), written)
    }
}

fn written(storage: Arc<Storage>) -> Result<String, fmt::Error> {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(Reading(storage)));
    let mut text = String::new();
    encode_registry(&mut text, &registry)?;
    Ok(text)
}

#[derive(Debug)]
struct Reading(Arc<Storage>);

impl Collector for Reading {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let storage = &self.0;
        by_age(&mut encoder, storage)?;
        let kinds = [
            ("pinned", Some(storage.pins.all)),
            ("released", Some(storage.released.stored)),
            (
                "prunable",
                storage.retention.prune().map(|prune| prune.removed),
            ),
        ];
        for (kind, stored) in kinds {
            if let Some(stored) = stored {
                pair(&mut encoder, kind, stored)?;
            }
        }
        let next = storage.retention.prune().and_then(|prune| prune.next);
        optional(
            &mut encoder,
            "coverage_next_prune_timestamp_seconds",
            "When the service prunes HTML reports next, in seconds since 1970.",
            next.map(seconds),
        )?;
        optional(
            &mut encoder,
            "database_size_bytes",
            "Bytes of the database.",
            storage.database_bytes,
        )?;
        optional(
            &mut encoder,
            "coverage_storage_read_timestamp_seconds",
            "When the numbers of stored HTML reports were read, in seconds since 1970.",
            Some(seconds(storage.at)),
        )
    }
}

fn by_age(encoder: &mut DescriptorEncoder, storage: &Storage) -> fmt::Result {
    let ages = || Age::ALL.into_iter().zip(storage.ages);
    let name = "coverage_stored_reports";
    let about = "HTML reports of records by the days since their upload.";
    let mut family = encoder.encode_descriptor(name, about, None, MetricType::Gauge)?;
    for (age, stored) in ages() {
        let labels = [("age", age.days())];
        family
            .encode_family(&labels)?
            .encode_gauge(&stored.reports)?;
    }
    let name = "coverage_stored_report_bytes";
    let about = "Bytes of the HTML reports of records by the days since their upload.";
    let mut family = encoder.encode_descriptor(name, about, None, MetricType::Gauge)?;
    for (age, stored) in ages() {
        let labels = [("age", age.days())];
        family.encode_family(&labels)?.encode_gauge(&stored.bytes)?;
    }
    Ok(())
}

/// The number and the bytes of some HTML reports.
fn pair(encoder: &mut DescriptorEncoder, kind: &str, stored: Stored) -> fmt::Result {
    let which = match kind {
        "pinned" => "pinned HTML reports",
        "released" => "replaced and pruned HTML reports in their grace period",
        _ => "HTML reports that the retention rules remove at the next prune",
    };
    let reports = format!("coverage_{kind}_reports");
    let about = format!("The number of {which}.");
    optional(encoder, &reports, &about, Some(stored.reports))?;
    let bytes = format!("coverage_{kind}_report_bytes");
    let about = format!("Bytes of {which}.");
    optional(encoder, &bytes, &about, Some(stored.bytes))
}

/// Writes a gauge that has a value.
fn optional<N: EncodeGaugeValue>(
    encoder: &mut DescriptorEncoder,
    name: &str,
    about: &str,
    value: Option<N>,
) -> fmt::Result {
    match value {
        Some(value) => encoder
            .encode_descriptor(name, about, None, MetricType::Gauge)?
            .encode_gauge(&value),
        None => Ok(()),
    }
}

fn seconds(at: Timestamp) -> f64 {
    at.0 as f64 / 1e6
}
