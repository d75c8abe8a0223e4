//! Finds paths in a sorted list without searching all of it.

use foldhash::quality::RandomState;
use hashbrown::HashTable;
use std::{hash::BuildHasher, ops::Range};

/// The positions of paths in a sorted list, by the whole path and by its last component.
#[derive(Default)]
pub(super) struct Index {
    /// The seed is random, so nobody can choose paths that collide.
    hasher: RandomState,
    /// The number of each path.
    whole: HashTable<u32>,
    /// The numbers of the paths with the same last component.
    last: HashTable<Range<u32>>,
}

impl Index {
    /// Indexes paths. Paths with the same last component must be neighbours.
    pub(super) fn of<'p>(count: usize, path: impl Fn(u32) -> &'p [u8]) -> Self {
        let mut index = Self {
            whole: HashTable::with_capacity(count),
            ..Self::default()
        };
        let hasher = index.hasher.clone();
        let hash_of_last = |paths: &Range<u32>| hasher.hash_one(last(path(paths.start)));
        let mut paths = 0..0;
        for number in (0..).take(count) {
            let hash = hasher.hash_one(path(number));
            index
                .whole
                .insert_unique(hash, number, |&other| hasher.hash_one(path(other)));
            if last(path(number)) != last(path(paths.start)) {
                index
                    .last
                    .insert_unique(hash_of_last(&paths), paths.clone(), hash_of_last);
                paths.start = number;
            }
            paths.end = number + 1;
        }
        if !paths.is_empty() {
            index
                .last
                .insert_unique(hash_of_last(&paths), paths, hash_of_last);
        }
        index
    }

    pub(super) fn whole<'p>(&self, wanted: &[u8], path: impl Fn(u32) -> &'p [u8]) -> Option<u32> {
        let hash = self.hasher.hash_one(wanted);
        self.whole
            .find(hash, |&number| path(number) == wanted)
            .copied()
    }

    /// Returns the numbers of the paths with this last component.
    pub(super) fn last<'p>(
        &self,
        component: &[u8],
        path: impl Fn(u32) -> &'p [u8],
    ) -> Option<Range<u32>> {
        let hash = self.hasher.hash_one(component);
        let found = self
            .last
            .find(hash, |paths| last(path(paths.start)) == component);
        found.cloned()
    }
}

fn last(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or_default()
}
