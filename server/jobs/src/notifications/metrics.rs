//! Metrics of notifications: attempts to send them, by webhook and result.

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
    registry::Registry,
};

/// The metrics of the notifications that this service sends.
#[derive(Clone, Debug)]
pub struct Notifications {
    attempts: Family<Attempt, Counter>,
}

/// The result of an attempt to send a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    /// The webhook received it.
    Delivered,
    /// It will be sent again.
    Failed,
    /// It will not be sent again.
    GivenUp,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Attempt {
    webhook: String,
    result: &'static str,
}

impl Notifications {
    /// Adds the metrics to a registry.
    pub fn registered(registry: &mut Registry) -> Self {
        let all = Self {
            attempts: Family::default(),
        };
        registry.register(
            "coverage_notifications",
            "Attempts to notify webhooks by result: delivered, failed (and sent again later), given_up",
            all.attempts.clone(),
        );
        all
    }

    /// Creates the counters of a webhook at the start, so that a rate over them is 0 instead of unknown.
    pub fn begin(&self, webhook: &str) {
        for result in [Sending::Delivered, Sending::Failed, Sending::GivenUp] {
            drop(self.attempts.get_or_create(&Attempt::with(webhook, result)));
        }
    }

    /// Counts an attempt. `webhook` is its kind and host; the rest of its address is a secret.
    pub fn ended(&self, webhook: &str, result: Sending) {
        self.attempts
            .get_or_create(&Attempt::with(webhook, result))
            .inc();
    }
}

impl Attempt {
    fn with(webhook: &str, result: Sending) -> Self {
        Self {
            webhook: webhook.to_owned(),
            result: match result {
                Sending::Delivered => "delivered",
                Sending::Failed => "failed",
                Sending::GivenUp => "given_up",
            },
        }
    }
}
