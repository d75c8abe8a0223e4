//! What happens to stored HTML reports by time or by command: retention, sweeps, removal.

pub(crate) mod deletion;
pub mod retention;
pub mod sweeper;
