//! Retention of HTML reports, by age and by number. Coverage numbers stay forever.
//!
//! Retention keeps every report of the last days, then one per week, then none. It always keeps the report of a pinned
//! record and the newest report of a main branch, because people open that one.

mod nightly;
mod rules;
mod run;
#[cfg(test)]
mod tests;
mod upcoming;

pub use config::Rules;
pub use nightly::{next_run, prune_nightly};
pub use run::{PruneError, Pruned, Pruning, prune};
pub use upcoming::{Upcoming, upcoming};
