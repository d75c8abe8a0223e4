//! Jobs that run on a timer: retention, sweeps, notifications, timeouts of parts, expiry of lines and sessions, and the changes
//! of the last week. Also the removal of deleted reports.

pub mod deletion;
pub mod notifications;
pub mod parts;
pub mod retention;
pub mod sweeper;
pub mod upkeep;
