//! Metrics of client connections.

use prometheus_client::{
    metrics::{counter::Counter, gauge::Gauge},
    registry::Registry,
};

#[derive(Clone, Debug, Default)]
pub(crate) struct Connections {
    open: Gauge,
    refused: Counter,
}

impl Connections {
    pub(crate) fn registered(registry: &mut Registry) -> Self {
        let all = Self::default();
        let about = "Open client connections";
        registry.register("http_connections_open", about, all.open.clone());
        let about = "Connections refused because their address had too many";
        registry.register("http_connections_refused", about, all.refused.clone());
        all
    }

    /// Counts an open connection until the value is dropped.
    pub(crate) fn opened(&self) -> Held {
        Held::new(&self.open)
    }

    pub(crate) fn refused(&self) {
        self.refused.inc();
    }
}

/// Counts one in a gauge until it is dropped.
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
