//! Whether a line is new since a record or a time.

use super::Origin;
use std::collections::{HashMap, HashSet};

/// A position in the chain of a record: at a record, or between two records that follow each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Since {
    /// The records of the chain from the position on, the record at the position included.
    pub from: HashSet<i64>,
    /// The records of the chain after the position, without the record at the position.
    pub later: HashSet<i64>,
    /// Deleted records of the chain after the position, each with the record that follows it.
    pub deleted: HashMap<i64, i64>,
}

impl Since {
    /// Whether a line with this origin is new. `None` if that is unknown.
    pub fn is_new(&self, origin: Origin) -> Option<bool> {
        let Origin { after, at } = self.existing(origin);
        if after.is_some_and(|after| self.from.contains(&after)) {
            return Some(true);
        }
        (!self.later.contains(&at)).then_some(false)
    }

    /// The origin without deleted records: what a deleted record brought, the next record has, and its beginning is unknown.
    fn existing(&self, origin: Origin) -> Origin {
        match self.deleted.get(&origin.at) {
            Some(&at) => Origin { after: None, at },
            None => origin,
        }
    }
}
