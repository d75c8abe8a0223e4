//! What an operator sees of the running service: metrics, logs, readiness, shutdown, and whether its data is sound.

pub(crate) mod colliding_names;
pub mod metrics;
pub mod readiness;
pub mod shutdown;
pub mod systemd;
pub mod telemetry;
pub mod verify;
