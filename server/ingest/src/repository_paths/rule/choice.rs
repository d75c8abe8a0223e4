//! Chooses the file of a path among its candidates.

use super::{
    super::name::components,
    Claim, Found, JobFolders, Reason,
    candidates::{Candidate, Candidates, explained},
    roots::RootId,
};
use std::collections::{HashMap, HashSet};

/// The limit on comparisons of paths for one coverage file, over all pairs of roots. After it, every further pair counts as rivals.
const MAX_COMPARISONS: usize = 10_000_000;

/// Chooses for the paths of one coverage file.
pub(super) struct Chooser<'c, 'l> {
    candidates: &'c Candidates<'l>,
    /// The group or project that the coverage file states.
    group: Option<&'c str>,
    place: &'c JobFolders<'c>,
    /// How many paths each root explains.
    explained: Vec<u32>,
    /// The paths that each root explains, in ascending order, one root after another.
    paths: Vec<u32>,
    starts: Vec<usize>,
    /// Whether a root is considered only if its folder contains the coverage file.
    is_above: bool,
    /// Whether the first root explains a path that the second does not.
    has_own: HashMap<(RootId, RootId), bool>,
    room: usize,
}

impl<'c, 'l> Chooser<'c, 'l> {
    pub(super) fn new(
        candidates: &'c Candidates<'l>,
        group: Option<&'c str>,
        place: &'c JobFolders<'c>,
    ) -> Self {
        let explained = explained(&candidates.of, candidates.roots.len());
        let mut starts = vec![0];
        for &count in &explained {
            starts.push(starts.last().copied().unwrap_or(0) + count as usize);
        }
        let mut ends = starts.clone();
        let mut paths = vec![0; starts.last().copied().unwrap_or(0)];
        for (path, found) in (0..).zip(&candidates.of) {
            for candidate in found {
                let (start, end) = (
                    starts[candidate.root as usize],
                    &mut ends[candidate.root as usize],
                );
                if *end == start || paths[*end - 1] != path {
                    paths[*end] = path;
                    *end += 1;
                }
            }
        }
        let mut chooser = Self {
            candidates,
            group,
            place,
            explained,
            paths,
            starts,
            is_above: false,
            has_own: HashMap::new(),
            room: MAX_COMPARISONS,
        };
        chooser.is_above = chooser.prefers_above();
        chooser
    }

    /// Returns whether folders that contain the coverage file explain at least half of the paths that any root explains. The top
    /// folder of the repository is not considered.
    fn prefers_above(&self) -> bool {
        let is_above = |candidate: &Candidate| {
            let put = self.put(candidate.root);
            !put.is_empty() && self.place.report_folder.starts_with(put)
        };
        let of = self.candidates.of.iter();
        let above = of
            .clone()
            .filter(|found| found.iter().any(is_above))
            .count();
        let any = of.filter(|found| !found.is_empty()).count();
        above > 0 && above * 2 >= any
    }

    fn put(&self, root: RootId) -> &'l str {
        self.candidates.roots.get(root).put
    }

    fn count(&self, root: RootId) -> u32 {
        self.explained[root as usize]
    }

    fn counts(&self, root: RootId) -> bool {
        !self.is_above || self.place.report_folder.starts_with(self.put(root))
    }

    /// Chooses for the path with this number.
    pub(super) fn choose(&mut self, path: usize) -> Found {
        let found = self.candidates.of[path].iter().copied();
        let found: Vec<_> = found
            .filter(|candidate| self.counts(candidate.root))
            .collect();
        let best = self.best(found.iter()).ok_or(Reason::NotListed)?;
        if let Some(targets) = self.of_sources(&found) {
            return Err(Reason::Ambiguous(Some(targets)));
        }
        let mut rivals = Vec::with_capacity(found.len());
        for candidate in found {
            if candidate.target == best.target || self.rivals(candidate.root, best.root) {
                rivals.push(candidate);
            }
        }
        let lead = |candidate: &Candidate| self.lead(candidate.root);
        if two(&rivals).is_some() {
            let most = rivals.iter().map(lead).max();
            rivals.retain(|candidate| Some(lead(candidate)) == most);
        }
        if two(&rivals).is_some() && rivals.iter().any(|rival| self.is_of_group(rival.root)) {
            rivals.retain(|candidate| self.is_of_group(candidate.root));
        }
        if let Some(targets) = two(&rivals) {
            return Err(Reason::Ambiguous(Some(targets)));
        }
        let chosen = self.best(rivals.iter()).unwrap_or(best);
        let removed = &self.candidates.roots.get(chosen.root).removed;
        let last = components(removed).next_back();
        Ok(Claim {
            target: chosen.target,
            support: u64::from(self.count(chosen.root)),
            is_named_like_repository: last
                .is_some_and(|last| last.eq_ignore_ascii_case(self.place.repository)),
        })
    }

    fn best<'f>(&self, found: impl Iterator<Item = &'f Candidate>) -> Option<Candidate> {
        found.copied().max_by_key(|candidate| {
            (
                self.count(candidate.root),
                std::cmp::Reverse(candidate.root),
            )
        })
    }

    /// Returns two different files, if one source folder gives the path one file and another source folder another.
    fn of_sources(&self, found: &[Candidate]) -> Option<[u32; 2]> {
        if self.place.sources.len() < 2 {
            return None;
        }
        let same_root = found.windows(2).find(|pair| pair[0].root == pair[1].root);
        if let Some(pair) = same_root {
            return Some([pair[0].target, pair[1].target]);
        }
        let sources: HashSet<_> = found.iter().map(|candidate| candidate.source).collect();
        let best = sources.into_iter().filter_map(|source| {
            self.best(found.iter().filter(|candidate| candidate.source == source))
        });
        let mut best: Vec<_> = best.collect();
        best.sort_unstable();
        two(&best)
    }

    /// Returns whether a root is a rival of `best`. No root explains more paths than `best`.
    fn rivals(&mut self, root: RootId, best: RootId) -> bool {
        let explains_as_many = self.count(root) == self.count(best);
        explains_as_many || (self.put(root) != self.put(best) && self.has_own(root, best))
    }

    /// Returns whether a root explains a path that `best` does not.
    fn has_own(&mut self, root: RootId, best: RootId) -> bool {
        if let Some(&has_own) = self.has_own.get(&(root, best)) {
            return has_own;
        }
        let of = |root: RootId| {
            let root = root as usize;
            &self.paths[self.starts[root]..self.starts[root + 1]]
        };
        let mut room = self.room;
        let has_own = of(root).iter().any(|path| {
            room = room.saturating_sub(1);
            room == 0 || of(best).binary_search(path).is_err()
        });
        self.room = room;
        self.has_own.insert((root, best), has_own);
        has_own
    }

    /// Returns how many leading components the folder of a root shares with the folder of the coverage file.
    fn lead(&self, root: RootId) -> usize {
        let folders = components(self.put(root)).zip(components(&self.place.report_folder));
        folders.take_while(|(one, other)| one == other).count()
    }

    /// Returns whether a folder of the root has the name of the group or project.
    fn is_of_group(&self, root: RootId) -> bool {
        let name = self.group.and_then(|group| components(group).next_back());
        name.is_some_and(|name| components(self.put(root)).any(|folder| folder == name))
    }
}

/// Returns two different files of the candidates, if there are any.
fn two(found: &[Candidate]) -> Option<[u32; 2]> {
    let first = found.first()?.target;
    let other = found.iter().find(|candidate| candidate.target != first)?;
    Some([first, other.target])
}
