//! The lines of a view in two records, and the files that a rename moved into the view or out of it.

use super::lines;
use crate::views::ViewFiles;
use ::lines::{Changes, Counts, Difference, FileLines, Lines, Way};
use domain::{ChangeCause, ChangeGroup, Count, Explanation};
use std::collections::HashSet;

/// The lines of a view.
pub(super) struct InView {
    /// The lines of the base, without files that were moved.
    pub(super) base: Lines,
    /// The lines of the head, without files that were moved.
    pub(super) head: Lines,
    /// The files that a rename moved into the view or out of it.
    pub(super) moved: Vec<ChangeGroup>,
    /// All lines of the view at the base and at the head.
    pub(super) counts: (Count, Count),
}

impl InView {
    pub(super) fn of(
        view: &ViewFiles,
        (base, head): (&Lines, &Lines),
        changes: Option<&Changes>,
    ) -> Self {
        let has = |path: &str| view.has(path) == Some(true);
        let renamed = changes.into_iter().flat_map(Changes::files);
        let renamed = renamed.filter_map(|file| file.old_path.as_deref().zip(file.path.as_deref()));
        let (mut gone, mut come) = (HashSet::new(), HashSet::new());
        for (old, new) in renamed.filter(|(old, new)| old != new) {
            match (has(old), has(new)) {
                (true, false) => drop(gone.insert(old)),
                (false, true) => drop(come.insert(new)),
                _ => {}
            }
        }
        let mut found = Self {
            base: Lines::default(),
            head: Lines::default(),
            moved: Vec::new(),
            counts: Default::default(),
        };
        for (path, file) in base.files().filter(|(path, _)| has(path)) {
            found.counts.0 = found.counts.0.plus(count(file.counts()));
            match gone.contains(path) {
                true => found.moved.push(moved(path, file, -1)),
                false => found.base.add(path, file.clone()),
            }
        }
        for (path, file) in head.files().filter(|(path, _)| has(path)) {
            found.counts.1 = found.counts.1.plus(count(file.counts()));
            match come.contains(path) {
                true => found.moved.push(moved(path, file, 1)),
                false => found.head.add(path, file.clone()),
            }
        }
        found
    }

    /// Why the percentage of the view changed.
    pub(super) fn explain(self, way: Way<'_>) -> Option<Explanation> {
        let difference = Difference::between(&self.base, &self.head, way);
        let mut groups = lines::groups(&difference, &self.base, &self.head);
        groups.extend(self.moved);
        let (base, head) = self.counts;
        Explanation::new(base, head, groups)
    }
}

fn moved(path: &str, file: &FileLines, sign: i64) -> ChangeGroup {
    let signed = |lines: u64| sign * i64::try_from(lines).unwrap_or(i64::MAX);
    let counts = file.counts();
    ChangeGroup {
        path: Some(path.to_owned()),
        covered: signed(counts.covered()),
        total: signed(counts.coverable()),
        files: 1,
        is_whole_file: true,
        ..ChangeGroup::of_no_file(ChangeCause::Moved)
    }
}

fn count(counts: Counts) -> Count {
    Count {
        covered: counts.covered(),
        total: counts.coverable(),
    }
}
