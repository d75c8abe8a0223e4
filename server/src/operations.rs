//! What an operator needs of a running service: metrics, logs, readiness, shutdown, and checks of its data.

pub mod metrics;
pub mod process;
pub mod readiness;
pub mod storage;
pub mod verify;
