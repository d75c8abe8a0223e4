//! The roots that explain each path of a coverage file.

use super::{
    super::{listing::RepositoryPaths, name::MAX_COMPONENTS},
    JobFolders,
    endings::{Step, steps},
    proposals::{Proposals, Proposed},
    roots::{RootId, Roots},
};

/// The most pairs of a path and a root that explains it. Beyond this, the paths are ambiguous.
const MAX_PAIRS: usize = 1_000_000;

/// Replaces the source of a name without a source.
const ALONE: u8 = u8::MAX;

/// The number of pairs exceeds the limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooMany;

/// A root that explains a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub(super) root: RootId,
    /// The file of the repository.
    pub(super) target: u32,
    /// The source to which the path was joined.
    pub(super) source: u8,
}

pub(super) struct Candidates<'l> {
    pub(super) roots: Roots<'l>,
    /// By path, each in the order of roots.
    pub(super) of: Vec<Vec<Candidate>>,
}

impl<'l> Candidates<'l> {
    pub(super) fn of(
        listing: &'l RepositoryPaths,
        names: &[&str],
        place: &JobFolders<'_>,
    ) -> Result<Self, TooMany> {
        let mut search = Search {
            listing,
            names,
            place,
            roots: Roots::default(),
            of: vec![Vec::new(); names.len()],
            room: MAX_PAIRS,
        };
        let proposed = search.one_sided()?;
        let most = search.most_of_one_side();
        let mut mixed = Vec::new();
        for root in proposed {
            // Most roots cannot explain more paths than the best one, so no paths are looked up for them.
            let could = names.len() > most as usize && search.could_explain(&root) > most;
            if could {
                search.mixed_in_sources(&root)?;
                mixed.push(root);
            }
        }
        search.alone(&mixed)?;
        search.drop_weak(&mut mixed);
        // A name that no root explains with its sources is tried alone.
        search.alone(&mixed)?;
        for found in &mut search.of {
            found.sort_unstable();
            found.dedup_by_key(|candidate| (candidate.root, candidate.target));
        }
        let Search { roots, of, .. } = search;
        Ok(Self { roots, of })
    }
}

struct Search<'l, 's> {
    listing: &'l RepositoryPaths,
    names: &'s [&'s str],
    place: &'s JobFolders<'s>,
    roots: Roots<'l>,
    /// By path.
    of: Vec<Vec<Candidate>>,
    /// How many more pairs may be found.
    room: usize,
}

impl<'l> Search<'l, '_> {
    /// Finds the roots with one side that explain each path, in its sources if it has any. Returns proposed roots with both
    /// sides.
    fn one_sided(&mut self) -> Result<Vec<Proposed<'l>>, TooMany> {
        let mut proposals = Proposals::new(self.listing);
        let mut joined = String::new();
        let mut further = Vec::new();
        for (number, &name) in self.names.iter().enumerate() {
            let own: Vec<_> = steps(self.listing, name, None, MAX_COMPONENTS).collect();
            // Files that end with the whole name may have the components of a source before it.
            let whole = own.last().filter(|step| step.start == 0);
            let sources = (0..).zip(self.place.sources_of(name));
            let mut has_source = false;
            let mut is_explained = false;
            for (id, source) in sources {
                has_source = true;
                joined.clear();
                joined.push_str(source);
                joined.push_str(name);
                further.clear();
                if let Some(Step { ending, .. }) = whole {
                    let room = MAX_COMPONENTS - own.len();
                    further.extend(steps(self.listing, source, Some(*ending), room));
                }
                let moved = own.iter().map(|step| step.behind(source));
                for step in moved.chain(further.iter().copied()) {
                    is_explained |= self.explain(number, &joined, step, id)?;
                }
                is_explained |= proposals.add(&joined, &further, false);
            }
            if has_source {
                is_explained |= proposals.add(name, &own, true);
            } else {
                for &step in &own {
                    self.explain(number, name, step, ALONE)?;
                }
            }
            if !is_explained {
                proposals.add(name, &own, false);
            }
            proposals.forget();
        }
        Ok(proposals.most(&self.place.sources))
    }

    /// Adds the roots with one side that explain a name by a step. Returns whether there are any.
    fn explain(
        &mut self,
        number: usize,
        name: &str,
        step: Step,
        source: u8,
    ) -> Result<bool, TooMany> {
        let Step { start, ending } = step;
        let before = self.of[number].len();
        if self.listing.is_whole(ending.first, ending) {
            let root = self.roots.id(&name[..start], "");
            self.push(number, root, ending.first, source)?;
        }
        // The folders of files that end with the whole name. A shorter end may have many files, which nothing limits here.
        let targets = (ending.first..ending.end).take_while(|_| start == 0);
        for target in targets {
            let path = self.listing.get(target);
            let put = path.strip_suffix(name).unwrap_or_default();
            if !put.is_empty() {
                let root = self.roots.id("", put);
                self.push(number, root, target, source)?;
            }
        }
        Ok(self.of[number].len() > before)
    }

    fn push(
        &mut self,
        number: usize,
        root: RootId,
        target: u32,
        source: u8,
    ) -> Result<(), TooMany> {
        self.room = self.room.checked_sub(1).ok_or(TooMany)?;
        self.of[number].push(Candidate {
            root,
            target,
            source,
        });
        Ok(())
    }

    /// Returns how many paths start with the removed prefix of a root.
    fn could_explain(&self, root: &Proposed<'_>) -> u32 {
        let names = self.names.iter();
        let could = names.filter(|name| {
            let mut sources = self.place.sources_of(name);
            name.starts_with(&*root.removed)
                || sources.any(|source| root.rest(source, name).is_some())
        });
        could.count().try_into().unwrap_or(u32::MAX)
    }

    /// Adds a root with both sides to the paths that it explains, in their sources if they have any.
    fn mixed_in_sources(&mut self, root: &Proposed<'l>) -> Result<(), TooMany> {
        let id = self.roots.id(&root.removed, root.put);
        for (number, &name) in self.names.iter().enumerate() {
            let mut sources = (0..).zip(self.place.sources_of(name)).peekable();
            if sources.peek().is_none() {
                self.mixed(number, id, root, ("", ALONE))?;
            }
            for (source_id, source) in sources {
                self.mixed(number, id, root, (source, source_id))?;
            }
        }
        Ok(())
    }

    fn mixed(
        &mut self,
        number: usize,
        id: RootId,
        root: &Proposed<'_>,
        (source, source_id): (&str, u8),
    ) -> Result<(), TooMany> {
        let Some([start, end]) = root.rest(source, self.names[number]) else {
            return Ok(());
        };
        let path = [root.put, start, end].concat();
        match self.listing.find(&path) {
            Some(target) => self.push(number, id, target, source_id),
            None => Ok(()),
        }
    }

    /// Adds roots for names that no root explains in their sources.
    fn alone(&mut self, mixed: &[Proposed<'l>]) -> Result<(), TooMany> {
        for (number, &name) in self.names.iter().enumerate() {
            if !self.of[number].is_empty() || self.place.sources_of(name).next().is_none() {
                continue;
            }
            for step in steps(self.listing, name, None, MAX_COMPONENTS) {
                self.explain(number, name, step, ALONE)?;
            }
            for root in mixed {
                let id = self.roots.id(&root.removed, root.put);
                self.mixed(number, id, root, ("", ALONE))?;
            }
        }
        Ok(())
    }

    /// Returns how many paths the best root with one side explains.
    fn most_of_one_side(&self) -> u32 {
        let explained = explained(&self.of, self.roots.len());
        let one_sided = (0..).zip(explained).filter_map(|(root, count)| {
            let has_both_sides = self.roots.get(root).has_both_sides();
            (!has_both_sides).then_some(count)
        });
        one_sided.max().unwrap_or(0)
    }

    /// Drops roots with both sides that do not explain more paths than every root with one side.
    fn drop_weak(&mut self, mixed: &mut Vec<Proposed<'l>>) {
        let most = self.most_of_one_side();
        let explained = explained(&self.of, self.roots.len());
        let roots = &mut self.roots;
        mixed.retain(|root| explained[roots.id(&root.removed, root.put) as usize] > most);
        for found in &mut self.of {
            found.retain(|candidate| {
                let root = candidate.root;
                !roots.get(root).has_both_sides() || explained[root as usize] > most
            });
        }
    }
}

/// Returns how many paths each root explains.
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
