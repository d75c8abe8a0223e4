//! Jobs that run on a timer: retention, sweeps, notifications, timeouts of parts, expiry of lines and sessions, and the stored
//! changes and counts of main branches. `deletion` runs on request: it removes what belongs to a deleted record or part.

pub mod deletion;
pub mod notifications;
pub mod parts;
pub mod retention;
pub mod sweeper;
pub mod upkeep;
