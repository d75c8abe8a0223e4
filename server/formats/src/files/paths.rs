//! Files by their paths.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

use super::FileId;

/// A map whose keys are the paths in the entries, so that each path is stored once. It keeps their hashes, so that it grows
/// without hashing them again.
#[derive(Debug, Default)]
pub(super) struct Paths {
    files: HashTable<(u64, FileId)>,
    hasher: RandomState,
}

impl Paths {
    pub(super) fn hash(&self, path: &str) -> u64 {
        self.hasher.hash_one(path)
    }

    /// The file whose path has this hash. `is_it` returns whether a file has the wanted path.
    pub(super) fn find(&self, hash: u64, is_it: impl Fn(FileId) -> bool) -> Option<FileId> {
        let known = self
            .files
            .find(hash, |&(known, file)| known == hash && is_it(file));
        known.map(|&(_, file)| file)
    }

    pub(super) fn insert(&mut self, hash: u64, file: FileId) {
        self.files
            .insert_unique(hash, (hash, file), |&(hash, _)| hash);
    }
}
