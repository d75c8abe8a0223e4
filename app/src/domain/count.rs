//! How much of something is covered, as integers.

use serde::{Deserialize, Serialize};

/// Covered and total of one counter (lines, branches or functions) of one report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// How many are covered; never more than `total`.
    pub covered: u64,
    /// How many there are.
    pub total: u64,
}
