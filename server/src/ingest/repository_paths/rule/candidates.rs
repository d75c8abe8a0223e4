//! The roots that explain each path of a coverage file.

use super::{
    super::name::{MAX_COMPONENTS, components},
    Place,
    roots::{RootId, Roots},
};
use crate::ingest::repository_paths::listing::{Ending, Listing};
use std::{cmp::Reverse, collections::HashMap};

/// The most pairs of a path and a root that explains it. Beyond that, the paths are ambiguous.
const MAX_PAIRS: usize = 1_000_000;

/// The most roots with both sides.
const MAX_MIXED: usize = 64;

/// The most files with which a path proposes roots with both sides.
const MAX_PROPOSED: usize = 64;

/// The most proposed roots that are counted at a time. Beyond that, those that one path proposed are forgotten.
const MAX_COUNTED: usize = 200_000;

/// The source of a name that stands alone.
const ALONE: u8 = u8::MAX;

/// There are more pairs than are compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooMany;

/// That a root explains a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub(super) root: RootId,
    /// The file of the repository.
    pub(super) target: u32,
    /// The source to which the path was joined.
    pub(super) source: u8,
}

/// The candidates of each path.
pub(super) struct Candidates<'l> {
    pub(super) roots: Roots<'l>,
    /// By path, each in the order of roots.
    pub(super) of: Vec<Vec<Candidate>>,
}

impl<'l> Candidates<'l> {
    pub(super) fn of(
        listing: &'l Listing,
        names: &[&str],
        place: &Place<'_>,
    ) -> Result<Self, TooMany> {
        let proposed = proposed(listing, names, place);
        let mut search = Search {
            listing,
            roots: Roots::default(),
            mixed: Vec::new(),
            room: MAX_PAIRS,
        };
        for (removed, put) in proposed {
            let id = search.roots.id(&removed, put);
            search.mixed.push((id, removed, put));
        }
        let mut of = Vec::with_capacity(names.len());
        for name in names {
            let mut found = Vec::new();
            for (source, joined) in place.joined(name) {
                search.explain(&joined, u8::try_from(source).unwrap_or(ALONE), &mut found)?;
            }
            if found.is_empty() {
                search.explain(name, ALONE, &mut found)?;
            }
            of.push(found);
        }
        search.drop_weak(&mut of);
        // A name that stood for nothing with its sources stands alone.
        for (name, found) in names.iter().zip(&mut of) {
            if found.is_empty() && !place.sources.is_empty() {
                search.explain(name, ALONE, found)?;
            }
            found.sort_unstable();
            found.dedup_by_key(|candidate| (candidate.root, candidate.target));
        }
        Ok(Self {
            roots: search.roots,
            of,
        })
    }
}

struct Search<'l> {
    listing: &'l Listing,
    roots: Roots<'l>,
    /// The roots with both sides that count.
    mixed: Vec<(RootId, String, &'l str)>,
    /// How many more pairs may be found.
    room: usize,
}

impl<'l> Search<'l> {
    /// Adds the roots that explain a name.
    fn explain(
        &mut self,
        name: &str,
        source: u8,
        found: &mut Vec<Candidate>,
    ) -> Result<(), TooMany> {
        for step in steps(self.listing, name) {
            let Step { removed, ending } = step;
            if self.listing.is_whole(ending.first, ending) {
                self.add(removed, "", ending.first, source, found)?;
            }
            if removed.is_empty() {
                for target in ending.first..ending.end {
                    let put = self.folder(target, name);
                    if !put.is_empty() {
                        self.add("", put, target, source, found)?;
                    }
                }
            }
        }
        for index in 0..self.mixed.len() {
            let (root, removed, put) = &self.mixed[index];
            let Some(rest) = name.strip_prefix(removed.as_str()) else {
                continue;
            };
            let root = *root;
            if let Some(target) = self.listing.find(&format!("{put}{rest}")) {
                self.push(root, target, source, found)?;
            }
        }
        Ok(())
    }

    /// What is in front of `end` in the path of a file.
    fn folder(&self, target: u32, end: &str) -> &'l str {
        let path = self.listing.get(target as usize);
        path.strip_suffix(end).unwrap_or_default()
    }

    fn add(
        &mut self,
        removed: &str,
        put: &'l str,
        target: u32,
        source: u8,
        found: &mut Vec<Candidate>,
    ) -> Result<(), TooMany> {
        let root = self.roots.id(removed, put);
        self.push(root, target, source, found)
    }

    fn push(
        &mut self,
        root: RootId,
        target: u32,
        source: u8,
        found: &mut Vec<Candidate>,
    ) -> Result<(), TooMany> {
        self.room = self.room.checked_sub(1).ok_or(TooMany)?;
        found.push(Candidate {
            root,
            target,
            source,
        });
        Ok(())
    }

    /// Drops the roots with both sides that do not explain more paths than every other root.
    fn drop_weak(&mut self, of: &mut [Vec<Candidate>]) {
        let explained = explained(of, self.roots.len());
        let most = (0..)
            .zip(&explained)
            .filter(|&(root, _)| !self.roots.get(root).has_both_sides())
            .map(|(_, &count)| count)
            .max()
            .unwrap_or(0);
        let counts = |root: RootId| explained[root as usize] > most;
        self.mixed.retain(|&(root, ..)| counts(root));
        for found in of {
            let roots = &self.roots;
            found.retain(|candidate| {
                !roots.get(candidate.root).has_both_sides() || counts(candidate.root)
            });
        }
    }
}

/// How many paths each root explains.
pub(super) fn explained(of: &[Vec<Candidate>], roots: usize) -> Vec<u32> {
    let mut explained = vec![0; roots];
    let mut last = vec![u32::MAX; roots];
    for (path, found) in (0..).zip(of) {
        for candidate in found {
            let root = candidate.root as usize;
            explained[root] += u32::from(last[root] != path);
            last[root] = path;
        }
    }
    explained
}

/// The roots with both sides that most paths propose: those by which the path and a file end alike in two components or more.
fn proposed<'l>(listing: &'l Listing, names: &[&str], place: &Place<'_>) -> Vec<(String, &'l str)> {
    let mut counted: HashMap<(Box<str>, &'l str), u32> = HashMap::new();
    for name in names {
        let before = counted.len();
        let mut has_joined = false;
        for (_, joined) in place.joined(name) {
            has_joined |= propose(listing, &joined, &mut counted);
        }
        if !has_joined {
            propose(listing, name, &mut counted);
        }
        if counted.len() > MAX_COUNTED && counted.len() > before {
            counted.retain(|_, count| {
                *count -= 1;
                *count > 0
            });
        }
    }
    let mut proposed: Vec<_> = counted.into_iter().collect();
    proposed.sort_unstable_by(|(one, many), (other, more)| {
        (Reverse(many), one).cmp(&(Reverse(more), other))
    });
    let proposed = proposed.into_iter().take(MAX_MIXED);
    proposed
        .map(|((removed, put), _)| (removed.into(), put))
        .collect()
}

/// Counts the roots with both sides that one name proposes. Returns whether any root explains it.
fn propose<'l>(
    listing: &'l Listing,
    name: &str,
    counted: &mut HashMap<(Box<str>, &'l str), u32>,
) -> bool {
    let steps: Vec<_> = steps(listing, name).collect();
    let mut room = MAX_PROPOSED;
    let mut inner: Option<Ending> = None;
    let mut is_explained = false;
    for (index, &Step { removed, ending }) in steps.iter().enumerate().rev() {
        let is_whole = listing.is_whole(ending.first, ending);
        is_explained |= is_whole || removed.is_empty();
        if index == 0 || removed.is_empty() {
            inner = Some(ending);
            continue;
        }
        let is_inner =
            |target| inner.is_some_and(|inner| (inner.first..inner.end).contains(&target));
        if ending.count() - inner.map_or(0, Ending::count) > room {
            break;
        }
        let end = &name[removed.len()..];
        for target in (ending.first..ending.end).filter(|&target| !is_inner(target)) {
            let path = listing.get(target as usize);
            if let Some(put) = path.strip_suffix(end).filter(|put| !put.is_empty()) {
                *counted.entry((removed.into(), put)).or_default() += 1;
                room = room.saturating_sub(1);
                is_explained = true;
            }
        }
        inner = Some(ending);
    }
    is_explained
}

/// The files that end like a name.
#[derive(Clone, Copy)]
struct Step<'n> {
    /// The start of the name that they do not have.
    removed: &'n str,
    ending: Ending,
}

/// The files that have the last component of a name in common with it, then those that have the last two, and so on.
fn steps<'n>(listing: &Listing, name: &'n str) -> impl Iterator<Item = Step<'n>> {
    let mut ending = listing.all();
    let mut reversed = components(name).rev().take(MAX_COMPONENTS);
    let mut start = name.len();
    std::iter::from_fn(move || {
        let component = reversed.next()?;
        ending = listing.with(ending, component)?;
        start -= component.len();
        let step = Step {
            removed: &name[..start],
            ending,
        };
        start = start.saturating_sub(1);
        Some(step)
    })
}
