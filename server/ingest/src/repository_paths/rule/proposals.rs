//! The roots with both sides that most paths propose. A path proposes a root if its last two or more components equal the last
//! components of a file.

use super::{
    super::listing::{Ending, RepositoryPaths},
    endings::Step,
};
use foldhash::{HashMap, HashMapExt};
use std::cmp::Reverse;

/// The most roots with both sides.
const MAX_MIXED: usize = 64;

/// The most files for which a path proposes roots.
const MAX_PROPOSED: usize = 64;

/// The most roots that are counted at a time. Beyond this, roots with only one proposal are dropped.
const MAX_COUNTED: usize = 200_000;

/// A root with both sides.
#[derive(Clone, Debug)]
pub(super) struct Proposed<'l> {
    pub(super) removed: Box<str>,
    pub(super) put: &'l str,
}

impl Proposed<'_> {
    /// Removes the prefix of the root from a source and a name. Returns the rest of both.
    pub(super) fn rest<'n>(&self, source: &'n str, name: &'n str) -> Option<[&'n str; 2]> {
        match source.strip_prefix(&*self.removed) {
            Some(rest) => Some([rest, name]),
            None => {
                let removed = self.removed.strip_prefix(source)?;
                Some(["", name.strip_prefix(removed)?])
            }
        }
    }
}

/// Roots, and how many paths propose each.
pub(super) struct Proposals<'l> {
    listing: &'l RepositoryPaths,
    /// Whether the removed prefix starts with a source, the rest of the prefix, and the folder that replaces it.
    counted: HashMap<(bool, Box<str>, &'l str), u32>,
}

impl<'l> Proposals<'l> {
    pub(super) fn new(listing: &'l RepositoryPaths) -> Self {
        Self {
            listing,
            counted: HashMap::new(),
        }
    }

    /// Counts the proposals of a name by its steps, alone or in each of its sources. Returns whether there are any.
    pub(super) fn add(&mut self, name: &str, steps: &[Step], in_sources: bool) -> bool {
        let mut room = MAX_PROPOSED;
        let mut inner: Option<Ending> = None;
        let mut has_any = false;
        for &Step { start, ending } in steps.iter().rev() {
            let end = &name[start..];
            if !end.contains('/') || (start == 0 && !in_sources) {
                inner = Some(ending);
                continue;
            }
            if ending.count() - inner.map_or(0, Ending::count) > room {
                break;
            }
            let is_inner =
                |target| inner.is_some_and(|inner| (inner.first..inner.end).contains(&target));
            for target in (ending.first..ending.end).filter(|&target| !is_inner(target)) {
                let path = self.listing.get(target);
                if let Some(put) = path.strip_suffix(end).filter(|put| !put.is_empty()) {
                    let root = (in_sources, name[..start].into(), put);
                    *self.counted.entry(root).or_default() += 1;
                    room = room.saturating_sub(1);
                    has_any = true;
                }
            }
            inner = Some(ending);
        }
        has_any
    }

    /// Makes room: drops roots if there are too many.
    pub(super) fn forget(&mut self) {
        if self.counted.len() > MAX_COUNTED {
            self.counted.retain(|_, count| {
                *count -= 1;
                *count > 0
            });
        }
    }

    /// Returns the roots that most paths propose.
    pub(super) fn most(self, sources: &[String]) -> Vec<Proposed<'l>> {
        let mut counted = HashMap::new();
        let (in_sources, alone): (Vec<_>, Vec<_>) = self
            .counted
            .into_iter()
            .partition(|((in_sources, ..), _)| *in_sources);
        for ((_, removed, put), count) in first(alone) {
            counted.insert((removed, put), count);
        }
        for ((_, removed, put), count) in first(in_sources) {
            for source in sources {
                let removed = [source, &*removed].concat();
                if !removed.is_empty() {
                    *counted.entry((removed.into(), put)).or_default() += count;
                }
            }
        }
        let proposed = first(counted.into_iter().collect()).into_iter();
        proposed
            .map(|((removed, put), _)| Proposed { removed, put })
            .collect()
    }
}

/// Returns the roots with the highest counts.
fn first<R: Ord>(mut counted: Vec<(R, u32)>) -> Vec<(R, u32)> {
    counted.sort_unstable_by(|(one, many), (other, more)| {
        (Reverse(many), one).cmp(&(Reverse(more), other))
    });
    counted.truncate(MAX_MIXED);
    counted
}
