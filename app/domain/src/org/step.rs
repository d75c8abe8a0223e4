//! One value of a repository.

use crate::{Count, Day, Percentage};

/// The last value of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The day.
    pub day: Day,
    /// The coverage.
    pub percentage: Percentage,
    /// Covered and total lines, if the coverage file counts them.
    pub lines: Option<Count>,
}
