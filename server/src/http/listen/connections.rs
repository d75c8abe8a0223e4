//! How many clients are connected, and a count of what is there as long as a value of it is.

use prometheus_client::{
    metrics::{counter::Counter, gauge::Gauge},
    registry::Registry,
};

/// The connections of clients.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connections {
    open: Gauge,
    refused: Counter,
}

impl Connections {
    pub(crate) fn registered(registry: &mut Registry) -> Self {
        let all = Self::default();
        registry.register(
            "http_connections_open",
            "Clients that are connected",
            all.open.clone(),
        );
        registry.register(
            "http_connections_refused",
            "Connections beyond those that an address may have",
            all.refused.clone(),
        );
        all
    }

    /// A client has connected; it counts until the value is dropped.
    pub(crate) fn opened(&self) -> Held {
        Held::new(&self.open)
    }

    /// A client had too many connections.
    pub(crate) fn refused(&self) {
        self.refused.inc();
    }
}

/// One of what a gauge counts.
#[derive(Debug)]
pub(crate) struct Held(Gauge);

impl Held {
    pub(crate) fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.dec();
    }
}
