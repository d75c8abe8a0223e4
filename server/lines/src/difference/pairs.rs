//! Finds the counterpart of each file in two records.

use super::Way;
use crate::{changes::ChangedFile, file::FileLines, record::Lines};
use std::{
    collections::{HashMap, HashSet},
    ptr,
};

/// A file at the base, at the head, or at both.
pub(super) struct Pair<'a> {
    /// The path at the head, else at the base.
    pub(super) path: &'a str,
    /// The path at the base.
    pub(super) old_path: &'a str,
    pub(super) base: Option<&'a FileLines>,
    pub(super) head: Option<&'a FileLines>,
    /// The change of the file. `None` if the changes do not name it.
    pub(super) change: Option<&'a ChangedFile>,
    /// Whether the file is a copy: all its lines are new.
    pub(super) is_copy: bool,
    /// Whether the hunks do not belong to the two trees.
    pub(super) is_stale: bool,
}

impl Pair<'_> {
    pub(super) fn is_deleted(&self) -> bool {
        self.change.is_some_and(|change| change.path.is_none())
    }

    pub(super) fn is_gone(&self) -> bool {
        self.change
            .is_some_and(|change| change.path.as_deref() != Some(self.old_path))
    }

    /// Whether the file was changed and its changed lines are unknown.
    pub(super) fn hides_lines(&self) -> bool {
        let is_edited = |change: &ChangedFile| change.old_path.is_some() && change.path.is_some();
        self.change
            .is_some_and(|change| change.is_binary && is_edited(change) && !self.is_copy)
    }
}

/// Returns all files of two records, in the order of their paths.
pub(super) fn pairs<'a>(base: &'a Lines, head: &'a Lines, way: Way<'a>) -> Vec<Pair<'a>> {
    let named = Named::of(head, way);
    let mut taken: HashSet<&str> = HashSet::new();
    let mut pairs: Vec<Pair<'a>> = Vec::with_capacity(head.files().len());
    for (path, lines) in head.files() {
        let origin = named.origin(path, base);
        let found = origin.path.and_then(|old| Some((old, base.get(old)?)));
        taken.extend(found.map(|(old, _)| old));
        pairs.push(Pair {
            path,
            old_path: found.map_or(path, |(old, _)| old),
            base: found.map(|(_, lines)| lines),
            head: Some(lines),
            change: origin.change,
            is_copy: origin.is_copy,
            is_stale: origin.is_stale,
        });
    }
    for (path, lines) in base.files() {
        if taken.contains(path) {
            continue;
        }
        let (change, is_stale) = named.after(path);
        pairs.push(Pair {
            path,
            old_path: path,
            base: Some(lines),
            head: None,
            change,
            is_copy: false,
            is_stale,
        });
    }
    pairs.sort_by_key(|pair| pair.path);
    for pair in &mut pairs {
        pair.is_stale |= !pair.change.is_none_or(ChangedFile::is_consistent);
    }
    pairs
}

/// The origin of a file of the head.
struct Origin<'a> {
    /// The path at the base, if the base has the file.
    path: Option<&'a str>,
    /// The change of the file.
    change: Option<&'a ChangedFile>,
    is_copy: bool,
    /// Whether the change contradicts the base.
    is_stale: bool,
}

/// The files that the changes name.
struct Named<'a> {
    /// Files of the head, by path.
    here: HashMap<&'a str, &'a ChangedFile>,
    /// Deleted files, by their old path.
    deleted: HashMap<&'a str, &'a ChangedFile>,
    /// Renamed files, by their old path. Copies are not included.
    renamed: HashMap<&'a str, &'a ChangedFile>,
}

impl<'a> Named<'a> {
    fn of(head: &Lines, way: Way<'a>) -> Self {
        let changed = way.changes.map_or(&[][..], |changes| changes.files());
        let here: HashMap<&str, &ChangedFile> = changed
            .iter()
            .filter_map(|file| Some((file.path.as_deref()?, file)))
            .collect();
        let gone = changed.iter().filter(|file| file.path.is_none());
        let deleted = gone.filter_map(|file| Some((file.old_path.as_deref()?, file)));
        // A copy does not move its source.
        let stays = |old: &str| match here.get(old) {
            Some(change) => change.old_path.as_deref() == Some(old),
            None => head.get(old).is_some(),
        };
        let mut renamed = HashMap::new();
        for file in changed {
            if let (Some(old), Some(path)) = (file.old_path.as_deref(), file.path.as_deref())
                && old != path
                && !stays(old)
            {
                renamed.entry(old).or_insert(file);
            }
        }
        Self {
            deleted: deleted.collect(),
            here,
            renamed,
        }
    }

    fn origin(&self, path: &'a str, base: &Lines) -> Origin<'a> {
        let Some(change) = self.here.get(path).copied() else {
            let deleted = self.deleted.get(path).copied();
            return Origin {
                path: Some(path),
                change: deleted,
                is_copy: false,
                is_stale: deleted.is_some(),
            };
        };
        let old = change.old_path.as_deref();
        let renamed = old.and_then(|old| self.renamed.get(old));
        let is_copy = old.is_some_and(|old| old != path)
            && !renamed.is_some_and(|renamed| ptr::eq(*renamed, change));
        // The changes create a file that the base already has, and do not state where the old file went.
        let is_stale = old != Some(path)
            && base.get(path).is_some()
            && !self.renamed.contains_key(path)
            && !self.deleted.contains_key(path);
        Origin {
            path: if is_stale {
                Some(path)
            } else {
                old.filter(|_| !is_copy)
            },
            change: Some(change),
            is_copy,
            is_stale,
        }
    }

    /// Returns the change of a file of the base that the head does not have, and whether the change contradicts the base.
    fn after(&self, path: &str) -> (Option<&'a ChangedFile>, bool) {
        let gone = self.deleted.get(path).or_else(|| self.renamed.get(path));
        let here = self.here.get(path).copied();
        match (gone, here) {
            (Some(gone), _) => (Some(gone), false),
            (None, Some(change)) => {
                let is_edited = change.old_path.as_deref() == Some(path);
                (Some(change), !is_edited)
            }
            (None, None) => (None, false),
        }
    }
}
