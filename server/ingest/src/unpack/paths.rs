//! The paths of an archive seen so far. Keeps a keyed hash of each path instead of its text, because there may be very many.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::{BuildHasher, Hasher, RandomState},
};

/// The kind of entry at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    File,
    Folder,
}

/// Why a path conflicts with earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clash {
    /// The path already has a file.
    Twice,
    /// The path, or a part of it, is both a file and a folder.
    FileAndFolder,
    /// The limit of files and folders is reached.
    TooMany,
}

/// The files and folders so far. The key is secret, so a client cannot make two paths collide.
pub(super) struct Paths {
    key: RandomState,
    seen: HashMap<u64, Seen>,
    limit: u64,
}

impl Paths {
    pub(super) fn new(limit: u64) -> Self {
        Self {
            key: RandomState::new(),
            seen: HashMap::new(),
            limit,
        }
    }

    /// Adds a file and its parent folders.
    pub(super) fn add_file(&mut self, path: &str) -> Result<(), Clash> {
        let (folder, _) = path.rsplit_once('/').unwrap_or_default();
        self.add_folder(folder)?;
        match self.add(self.key_of(path), Seen::File)? {
            None => Ok(()),
            Some(Seen::File) => Err(Clash::Twice),
            Some(Seen::Folder) => Err(Clash::FileAndFolder),
        }
    }

    /// Adds a folder and its parent folders.
    pub(super) fn add_folder(&mut self, path: &str) -> Result<(), Clash> {
        let mut hasher = self.key.build_hasher();
        for segment in path.split('/').filter(|segment| !segment.is_empty()) {
            write_segment(&mut hasher, segment);
            if self.add(hasher.clone().finish(), Seen::Folder)? == Some(Seen::File) {
                return Err(Clash::FileAndFolder);
            }
        }
        Ok(())
    }

    pub(super) fn has_file(&self, path: &str) -> bool {
        self.seen.get(&self.key_of(path)) == Some(&Seen::File)
    }

    fn key_of(&self, path: &str) -> u64 {
        let mut hasher = self.key.build_hasher();
        for segment in path.split('/') {
            write_segment(&mut hasher, segment);
        }
        hasher.finish()
    }

    /// Adds an entry, or returns the existing one.
    fn add(&mut self, key: u64, seen: Seen) -> Result<Option<Seen>, Clash> {
        let count = self.seen.len() as u64;
        match self.seen.entry(key) {
            Entry::Occupied(entry) => Ok(Some(*entry.get())),
            Entry::Vacant(_) if count >= self.limit => Err(Clash::TooMany),
            Entry::Vacant(entry) => {
                entry.insert(seen);
                Ok(None)
            }
        }
    }
}

fn write_segment(hasher: &mut impl Hasher, segment: &str) {
    hasher.write(segment.as_bytes());
    hasher.write(b"/");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_file_or_one_folder() {
        let mut paths = Paths::new(100);
        assert_eq!(paths.add_file("a/b/c"), Ok(()));
        assert_eq!(paths.add_file("a/b/C"), Ok(()), "paths are case-sensitive");
        assert_eq!(paths.add_file("a/b/c"), Err(Clash::Twice));
        assert_eq!(paths.add_file("a/b"), Err(Clash::FileAndFolder));
        assert_eq!(paths.add_file("a/b/c/d"), Err(Clash::FileAndFolder));
        assert_eq!(paths.add_folder("a/b"), Ok(()));
        assert_eq!(paths.add_folder("a/b/c"), Err(Clash::FileAndFolder));
        assert!(paths.has_file("a/b/c") && !paths.has_file("a/b"));
    }

    #[test]
    fn folders_that_paths_imply_are_counted() {
        let mut paths = Paths::new(4);
        assert_eq!(paths.add_file("a/b/c"), Ok(()));
        assert_eq!(paths.add_file("a/b/d"), Ok(()));
        assert_eq!(paths.add_file("a/e"), Err(Clash::TooMany));
    }
}
