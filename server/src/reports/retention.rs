//! Which reports are kept, and for how long: HTML is thinned out by age and by number, coverage numbers stay for ever.
//!
//! Two speeds: every report of the last days, then one of each week, then none. The report of a pinned record stays, and so
//! does the newest one of a main branch, which is what people open.

mod nightly;
mod rules;
mod run;
#[cfg(test)]
mod tests;

pub use crate::config::Rules;
pub use nightly::prune_nightly;
pub use run::{PruneError, Pruned, Pruning, prune};
