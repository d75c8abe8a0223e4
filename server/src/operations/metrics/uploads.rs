//! Uploads: what became of them, how much they sent, how long they took.

use super::SECONDS;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::Registry,
};
use std::time::Duration;

/// What is counted of all uploads.
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
            "Uploads by what became of them: created, replaced, kept, or the code of the refusal",
            all.ended.clone(),
        );
        registry.register(
            "coverage_upload_received_bytes",
            "Bytes of the bodies of uploads, refused ones included",
            all.bytes.clone(),
        );
        registry.register(
            "coverage_upload_duration_seconds",
            "Seconds from the head of an upload to its answer, waiting for its turn included",
            all.seconds.clone(),
        );
        // There from the start, so that a rate over them is 0 and not unknown.
        for result in ["created", "replaced", "kept"] {
            drop(all.ended.get_or_create(&Ended::with(result)));
        }
        all
    }

    /// An upload has its answer. `result` is one of the service's own words.
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
