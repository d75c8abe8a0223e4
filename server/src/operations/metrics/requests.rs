//! Metrics of requests: number, status, duration, and requests in progress; and of uploads: result, size and duration.

use super::SECONDS;
use crate::http::listen::connections::Held;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};
use std::{
    thread,
    time::{Duration, Instant},
};

/// The status that is counted if the client disconnected before the response. Proxies log the same status.
const CLIENT_LEFT: u16 = 499;

/// The status that is counted if the handler panicked. The client gets the same status.
const PANICKED: u16 = 503;

#[derive(Clone, Debug)]
pub(crate) struct Requests {
    answered: Family<Answered, Counter>,
    seconds: Family<RequestLabels, Histogram, fn() -> Histogram>,
    under_way: Gauge,
}

/// The labels of a request. Both come from small sets, which clients cannot extend.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    /// The template of the route, never the path.
    route: String,
    method: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    #[prometheus(flatten)]
    request: RequestLabels,
    status: u16,
}

impl Requests {
    pub(super) fn registered(registry: &mut Registry) -> Self {
        let all = Self {
            answered: Family::default(),
            seconds: Family::new_with_constructor(|| Histogram::new(SECONDS)),
            under_way: Gauge::default(),
        };
        registry.register(
            "http_requests",
            "Requests by route, method and status; 499 if the client disconnected before the response",
            all.answered.clone(),
        );
        registry.register(
            "http_request_duration_seconds",
            "Seconds from the head of a request to the head of its response",
            all.seconds.clone(),
        );
        let about = "Requests in progress";
        registry.register("http_requests_in_flight", about, all.under_way.clone());
        all
    }

    /// Counts a request as in progress until the returned value is dropped.
    pub(crate) fn begin(&self, route: &str, method: &'static str) -> UnderWay {
        UnderWay {
            _held: Held::new(&self.under_way),
            requests: self.clone(),
            since: Instant::now(),
            labels: RequestLabels {
                route: route.to_owned(),
                method,
            },
            status: None,
        }
    }
}

pub(crate) struct UnderWay {
    requests: Requests,
    since: Instant,
    labels: RequestLabels,
    status: Option<u16>,
    _held: Held,
}

impl UnderWay {
    pub(crate) fn answered(mut self, status: u16) {
        self.status = Some(status);
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let unanswered = if thread::panicking() {
            PANICKED
        } else {
            CLIENT_LEFT
        };
        let answered = Answered {
            request: self.labels.clone(),
            status: self.status.unwrap_or(unanswered),
        };
        self.requests.answered.get_or_create(&answered).inc();
        let seconds = self.since.elapsed().as_secs_f64();
        let histogram = self.requests.seconds.get_or_create(&self.labels);
        histogram.observe(seconds);
    }
}

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
            let result = result.to_owned();
            drop(all.ended.get_or_create(&Ended { result }));
        }
        all
    }

    /// Counts a finished upload. `result` is from a fixed set, never chosen by a client.
    pub(crate) fn ended(&self, result: &str, bytes: u64, took: Duration) {
        let result = result.to_owned();
        self.ended.get_or_create(&Ended { result }).inc();
        self.bytes.inc_by(bytes);
        self.seconds.observe(took.as_secs_f64());
    }
}
