//! The roots of a coverage file: the prefix that is removed from a path, and the folder that replaces it.

use foldhash::HashMap;
use std::rc::Rc;

pub(super) type RootId = u32;

#[derive(Clone, Debug)]
pub(super) struct Root<'l> {
    /// The removed prefix: ends with `/`, or is empty.
    pub(super) removed: Rc<str>,
    /// The folder that replaces it: ends with `/`, or is empty.
    pub(super) put: &'l str,
}

impl Root<'_> {
    pub(super) fn has_both_sides(&self) -> bool {
        !self.removed.is_empty() && !self.put.is_empty()
    }
}

/// Roots by their numbers.
#[derive(Default)]
pub(super) struct Roots<'l> {
    roots: Vec<Root<'l>>,
    removed: HashMap<Rc<str>, u32>,
    put: HashMap<&'l str, u32>,
    ids: HashMap<(u32, u32), RootId>,
}

impl<'l> Roots<'l> {
    /// Returns the number of a root. A new root gets a new number.
    pub(super) fn id(&mut self, removed: &str, put: &'l str) -> RootId {
        let next = number(self.removed.len());
        let (removed, removed_id) = match self.removed.get_key_value(removed) {
            Some((removed, &id)) => (removed.clone(), id),
            None => {
                let removed: Rc<str> = removed.into();
                self.removed.insert(removed.clone(), next);
                (removed, next)
            }
        };
        let next = number(self.put.len());
        let put_id = *self.put.entry(put).or_insert(next);
        let next = number(self.roots.len());
        let id = *self.ids.entry((removed_id, put_id)).or_insert(next);
        if id == next {
            self.roots.push(Root { removed, put });
        }
        id
    }

    pub(super) fn get(&self, id: RootId) -> &Root<'l> {
        &self.roots[id as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.roots.len()
    }
}

/// The number of candidates is limited, so it fits.
pub(super) fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
