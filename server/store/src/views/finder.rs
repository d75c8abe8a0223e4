//! Sums the counts of files by the views that contain them.

use super::definitions::Definitions;
use crate::{StoredFiles, record_details::DecodeError};
use domain::{Count, FileSum, NewCount, PathGlobs, ViewCounts, ViewKind, ViewName};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

/// The maximum number of pairs of a file and a view, for each kind of view. All pairs stay in memory, with four bytes each.
pub(super) const MAX_NAMED: usize = 1_000_000;

/// Finds the views of some kinds that contain a file. Each path is matched once.
pub(super) struct ViewFinder {
    definitions: Arc<Definitions>,
    kinds: Vec<ViewKind>,
    /// The folder whose folders are listed, with a `/` at its end; empty for the folders at the top.
    under: String,
    /// The views of each path, and whether it is directly in the listed folder.
    known: HashMap<Box<str>, (Arc<[u32]>, bool)>,
    /// The views of all files, and the index of each.
    views: Vec<ViewName>,
    indexes: HashMap<ViewName, u32>,
    /// The listed folders that contain other folders.
    pub(super) parents: BTreeSet<ViewName>,
    /// For each kind: the steps so far, and the number of pairs of a file and a view.
    costs: HashMap<&'static str, (u64, usize)>,
}

/// The sums of one record.
#[derive(Default)]
pub(super) struct Sums {
    pub(super) all: ViewCounts,
    pub(super) direct: ViewCounts,
    pub(super) views: BTreeMap<ViewName, ViewCounts>,
}

impl ViewFinder {
    pub(super) fn new(definitions: Arc<Definitions>, kinds: &[ViewKind], under: &str) -> Self {
        let under = under.trim_matches('/');
        Self {
            definitions,
            kinds: kinds.to_vec(),
            under: match under {
                "" => String::new(),
                under => format!("{under}/"),
            },
            known: HashMap::new(),
            views: Vec::new(),
            indexes: HashMap::new(),
            parents: BTreeSet::new(),
            costs: HashMap::new(),
        }
    }

    /// The kinds whose definitions take too many steps: they do not count.
    pub(super) fn costly(&self) -> impl Iterator<Item = ViewKind> {
        let kinds = self.kinds.iter().copied();
        kinds.filter(|kind| {
            let cost = self.costs.get(kind.word());
            cost.is_some_and(|&(steps, named)| steps > PathGlobs::MAX_STEPS || named > MAX_NAMED)
        })
    }

    /// The indexes of the views that contain a file, and whether it is directly in the listed folder.
    fn of(&mut self, path: &str) -> (Arc<[u32]>, bool) {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let below = path.strip_prefix(self.under.as_str());
        let folder = below.and_then(|below| below.split_once('/'));
        let mut found = Vec::new();
        for &kind in &self.kinds {
            if kind == ViewKind::Folder {
                if let Some((name, rest)) = folder {
                    let folder = ViewName::Folder(format!("{}{name}", self.under));
                    if rest.contains('/') {
                        self.parents.insert(folder.clone());
                    }
                    found.push(folder);
                }
                continue;
            }
            let (steps, named) = self.costs.entry(kind.word()).or_default();
            *steps += self.definitions.steps(kind, path);
            if *steps <= PathGlobs::MAX_STEPS && *named <= MAX_NAMED {
                let of_path = self.definitions.of(kind, path);
                *named += of_path.len();
                found.extend(of_path);
            }
        }
        let found = found.into_iter().map(|view| {
            let next = self.views.len() as u32;
            *self.indexes.entry(view).or_insert_with_key(|view| {
                self.views.push(view.clone());
                next
            })
        });
        let of_path = (found.collect(), below.is_some() && folder.is_none());
        self.known.insert(path.into(), of_path.clone());
        of_path
    }

    /// Sums a record: its files now and at the beginning of the period, and its new lines. `None` is unknown.
    pub(super) fn sums(
        &mut self,
        now: &StoredFiles,
        before: Option<&StoredFiles>,
        new: Option<&mut dyn Iterator<Item = (&str, NewCount)>>,
    ) -> Result<Sums, DecodeError> {
        let mut sums = Summing::default();
        now.each(|path, counts| {
            let file = FileSum {
                files: 1,
                lines: counts.lines,
            };
            self.add(&mut sums, path, |counts| counts.now = counts.now.plus(file));
        })?;
        let mut zero = ViewCounts::default();
        if let Some(before) = before {
            zero.before = Some(Count::default());
            before.each(|path, counts| {
                self.add(&mut sums, path, |of| {
                    of.before = Some(of.before.unwrap_or_default().plus(counts.lines));
                });
            })?;
        }
        if let Some(new) = new {
            zero.new = Some(NewCount::default());
            for (path, counts) in new {
                self.add(&mut sums, path, |of| {
                    of.new = Some(of.new.unwrap_or_default().plus(counts));
                });
            }
        }
        // A view without files at the beginning, or without new lines, has zero of them.
        let known = |counts: ViewCounts| ViewCounts {
            before: counts.before.or(zero.before),
            new: counts.new.or(zero.new),
            ..counts
        };
        let views = self.views.iter().zip(sums.views);
        let views = views.filter_map(|(view, counts)| Some((view.clone(), known(counts?))));
        Ok(Sums {
            all: known(sums.all),
            direct: known(sums.direct),
            views: views.collect(),
        })
    }

    fn add(&mut self, sums: &mut Summing, path: &str, change: impl Fn(&mut ViewCounts)) {
        let (indexes, is_direct) = self.of(path);
        change(&mut sums.all);
        if is_direct {
            change(&mut sums.direct);
        }
        sums.views.resize(self.views.len(), None);
        for &index in &*indexes {
            change(sums.views[index as usize].get_or_insert_default());
        }
    }
}

/// Sums that are not complete yet. A view has the index that it has in `views` of [`ViewFinder`].
#[derive(Default)]
struct Summing {
    all: ViewCounts,
    direct: ViewCounts,
    views: Vec<Option<ViewCounts>>,
}

impl Sums {
    /// Adds the sums of another record.
    pub(super) fn plus(&mut self, other: Self) {
        self.all = self.all.plus(other.all);
        self.direct = self.direct.plus(other.direct);
        for (view, counts) in other.views {
            let sum = self.views.get(&view).map_or(counts, |sum| sum.plus(counts));
            self.views.insert(view, sum);
        }
    }
}
