//! What an operator needs of a running service: metrics, logs, readiness, shutdown, and checks of its data.

pub mod metrics;
pub mod readiness;
pub mod shutdown;
pub mod storage;
pub mod systemd;
pub mod telemetry;
pub mod verify;
