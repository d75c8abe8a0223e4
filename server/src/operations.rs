//! What an operator needs of a running service: metrics, logs, readiness, shutdown, and checks of its data.

pub(crate) mod metrics;
pub(crate) mod new_token;
pub(crate) mod process;
pub(crate) mod readiness;
pub(crate) mod storage;
pub(crate) mod verify;
