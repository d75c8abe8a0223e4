//! Metrics of uploads: result, size and duration.

use super::SECONDS;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::Registry,
};
use std::time::Duration;

#[derive(Clone, Debug)]
pub(crate) struct Uploads {
    ended: Family<Ended, Counter>,
    bytes: Counter,
    seconds: Histogram,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Ended {
    result: String,
}

impl Uploads {
    pub(super) fn registered(registry: &mut Registry) -> Self {
        let all = Self {
            ended: Family::default(),
            bytes: Counter::default(),
            seconds: Histogram::new(SECONDS),
        };
        registry.register(
            "coverage_uploads",
            "Uploads by result: created, replaced, kept, or the code of the refusal",
            all.ended.clone(),
        );
        registry.register(
            "coverage_upload_received_bytes",
            "Bytes of the bodies of uploads, including refused ones",
            all.bytes.clone(),
        );
        registry.register(
            "coverage_upload_duration_seconds",
            "Seconds from the head of an upload to its response, including the wait for a permit",
            all.seconds.clone(),
        );
        // Created at the start, so that a rate over them is 0 and not unknown.
        for result in ["created", "replaced", "kept", "closed", "skipped"] {
            drop(all.ended.get_or_create(&Ended::with(result)));
        }
        all
    }

    /// Counts a finished upload. `result` is from a fixed set, never chosen by a client.
    pub(crate) fn ended(&self, result: &str, bytes: u64, took: Duration) {
        self.ended.get_or_create(&Ended::with(result)).inc();
        self.bytes.inc_by(bytes);
        self.seconds.observe(took.as_secs_f64());
    }
}

impl Ended {
    fn with(result: &str) -> Self {
        Self {
            result: result.to_owned(),
        }
    }
}
