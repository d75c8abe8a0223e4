//! Finds the counterpart of each file in two records.

use crate::{
    changes::{ChangedFile, Changes},
    file::FileLines,
    record::Lines,
};
use std::{
    collections::{HashMap, HashSet},
    ptr,
};

/// A file at the base, at the head, or at both.
pub(crate) struct Pair<'a> {
    /// The path at the head, else at the base.
    pub(crate) path: &'a str,
    /// The path at the base.
    pub(crate) old_path: &'a str,
    pub(crate) base: Option<&'a FileLines>,
    pub(crate) head: Option<&'a FileLines>,
    /// The change of the file. `None` if the changes do not name it.
    pub(crate) change: Option<&'a ChangedFile>,
    /// Whether the file is a copy: all its lines are new.
    pub(crate) is_copy: bool,
    /// Whether the hunks do not belong to the two trees.
    pub(crate) is_stale: bool,
}

impl Pair<'_> {
    pub(crate) fn is_deleted(&self) -> bool {
        self.change.is_some_and(|change| change.path.is_none())
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.change
            .is_some_and(|change| change.path.as_deref() != Some(self.old_path))
    }

    /// Whether the file was changed and its changed lines are unknown.
    pub(crate) fn hides_lines(&self) -> bool {
        let is_edited = |change: &ChangedFile| change.old_path.is_some() && change.path.is_some();
        self.change
            .is_some_and(|change| change.is_binary && is_edited(change) && !self.is_copy)
    }
}

/// Returns all files of two records, in the order of their paths.
pub(crate) fn pairs<'a>(
    base: &'a Lines,
    head: &'a Lines,
    changes: Option<&'a Changes>,
) -> Vec<Pair<'a>> {
    let changes = changes.map_or(&[][..], Changes::files);
    let named = Named::of(head, changes);
    let mut taken: HashSet<&str> = HashSet::new();
    let mut pairs: Vec<Pair<'a>> = Vec::with_capacity(head.files().len());
    for (path, lines) in head.files() {
        let pair = named.pair(path, lines, base);
        taken.extend(pair.base.map(|_| pair.old_path));
        pairs.push(pair);
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
    fn of(head: &Lines, changed: &'a [ChangedFile]) -> Self {
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

    /// Finds the counterpart of a file of the head.
    fn pair(&self, path: &'a str, head: &'a FileLines, base: &'a Lines) -> Pair<'a> {
        let here = self.here.get(path).copied();
        let change = here.or_else(|| self.deleted.get(path).copied());
        let mut pair = Pair {
            path,
            old_path: path,
            base: base.get(path),
            head: Some(head),
            change,
            is_copy: false,
            is_stale: change.is_some(),
        };
        let Some(change) = here else { return pair };
        let old = change.old_path.as_deref();
        let renamed = old.and_then(|old| self.renamed.get(old));
        pair.is_copy = old.is_some_and(|old| old != path)
            && !renamed.is_some_and(|renamed| ptr::eq(*renamed, change));
        // The changes create a file that the base already has, and do not state where the old file went.
        pair.is_stale = old != Some(path)
            && pair.base.is_some()
            && !self.renamed.contains_key(path)
            && !self.deleted.contains_key(path);
        if !pair.is_stale {
            let old = old.filter(|_| !pair.is_copy);
            let found = old.and_then(|old| Some((old, base.get(old)?)));
            (pair.old_path, pair.base) =
                found.map_or((path, None), |(old, lines)| (old, Some(lines)));
        }
        pair
    }

    /// Returns the change of a file of the base that the head does not have, and whether the change contradicts the base.
    fn after(&self, path: &str) -> (Option<&'a ChangedFile>, bool) {
        let gone = self.deleted.get(path).or_else(|| self.renamed.get(path));
        let here = self.here.get(path);
        let is_edited = here.is_none_or(|change| change.old_path.as_deref() == Some(path));
        (gone.or(here).copied(), gone.is_none() && !is_edited)
    }
}
