//! Whether a line is new since a record or a time.

use super::Origin;
use std::collections::HashSet;

/// A position in the chain of a record: at a record, or between two records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Since {
    /// The records of the chain that are certainly not before the position.
    pub from: HashSet<i64>,
    /// The records of the chain that may be after the position.
    pub later: HashSet<i64>,
    /// The records of the chain that are certainly not after the position.
    pub until: HashSet<i64>,
}

impl Since {
    /// Whether a line with this origin is new. `None` if that is unknown.
    pub fn is_new(&self, origin: Origin) -> Option<bool> {
        if origin.after.is_some_and(|after| self.from.contains(&after)) {
            return Some(true);
        }
        self.until.contains(&origin.at).then_some(false)
    }
}
