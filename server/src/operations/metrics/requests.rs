//! Metrics of requests: number, status, duration, and requests in progress.

use super::SECONDS;
use crate::http::listen::connections::Held;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};
use std::{thread, time::Instant};

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
pub(crate) struct RequestLabels {
    /// The template of the route, never the path.
    pub(crate) route: String,
    pub(crate) method: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    route: String,
    method: &'static str,
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
        registry.register(
            "http_requests_in_flight",
            "Requests in progress",
            all.under_way.clone(),
        );
        all
    }

    /// Counts a request as in progress until the returned value is dropped.
    pub(crate) fn begin(&self, labels: RequestLabels) -> UnderWay {
        UnderWay {
            _held: Held::new(&self.under_way),
            requests: self.clone(),
            since: Instant::now(),
            labels,
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
            route: self.labels.route.clone(),
            method: self.labels.method,
            status: self.status.unwrap_or(unanswered),
        };
        self.requests.answered.get_or_create(&answered).inc();
        let seconds = self.since.elapsed().as_secs_f64();
        let histogram = self.requests.seconds.get_or_create(&self.labels);
        histogram.observe(seconds);
    }
}
