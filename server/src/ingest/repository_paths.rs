//! The paths of a repository's files, and which of them a path in a coverage file stands for.

mod listing;
mod reversed;

pub use listing::{ListingError, MAX_UNPACKED_BYTES};
pub(super) use reversed::Source;

use listing::Listing;
use reversed::Reversed;
use std::iter::zip;

/// The paths of a repository's files. They are found by their last components.
pub(super) struct RepositoryPaths {
    /// In the order of their components, the last component first.
    listing: Listing,
}

impl RepositoryPaths {
    /// Reads what `git ls-files -z` printed, plain or compressed with gzip.
    ///
    /// # Errors
    ///
    /// If it is something else, or exceeds a limit.
    pub(super) fn read(sent: Vec<u8>) -> Result<Self, ListingError> {
        let mut listing = Listing::read(sent)?;
        listing.sort_and_dedup_by(|path, other| path.rsplit('/').cmp(other.rsplit('/')));
        Ok(Self { listing })
    }

    /// Returns the path of the file that a coverage file calls `named`, if there is exactly one. It is joined to each source
    /// first, and tried alone if no joined path matches. Both it and `sources` are normalised.
    pub(super) fn find(&self, named: &str, sources: &[Source]) -> Option<&str> {
        let joined = |source: &Source| self.ending_like(&Reversed::joined(source, named));
        let mut joined = sources.iter().filter_map(joined);
        match joined.next() {
            Some(first) => joined.all(|other| other == first).then_some(first),
            None => self.ending_like(&Reversed::of(named)),
        }
    }

    /// Whether exactly this path is listed.
    pub(super) fn contains(&self, path: &str) -> bool {
        let place = self.place_of(&path.rsplit('/').collect::<Vec<_>>());
        self.listing.get(place) == Some(path)
    }

    /// Returns the path that is `wanted`. Otherwise the one that has the most last components in common with it: two or
    /// more, or one if that is the whole path. None if several have as many.
    fn ending_like(&self, wanted: &Reversed<'_>) -> Option<&str> {
        let wanted = wanted.components();
        let place = self.place_of(wanted);
        // Paths that have the most in common with it are next to its place.
        let shared = |index: Option<usize>| {
            let path = index.and_then(|index| self.listing.get(index));
            path.map_or(0, |path| common(path, wanted))
        };
        let (before, after) = (place.checked_sub(1), Some(place));
        let (shared_before, shared_after) = (shared(before), shared(after));
        let most = shared_before.max(shared_after);
        let found = self
            .listing
            .get(if shared_after == most { place } else { before? })?;
        let components = found.split('/').count();
        if components == most && wanted.len() == most {
            return Some(found);
        }
        let others = [
            before.and_then(|before| before.checked_sub(1)),
            before,
            after,
            after.map(|after| after + 1),
        ];
        let as_many = others.into_iter().filter(|&index| shared(index) == most);
        let is_long_enough = most >= 2 || components == 1;
        (most > 0 && is_long_enough && as_many.count() == 1).then_some(found)
    }

    /// The index of the first path that is not before `wanted`.
    fn place_of(&self, wanted: &[&str]) -> usize {
        self.listing
            .partition_point(|path| path.rsplit('/').lt(wanted.iter().copied()))
    }
}

/// How many components two paths have in common at their ends.
fn common(path: &str, other: &[&str]) -> usize {
    zip(path.rsplit('/'), other)
        .take_while(|(one, other)| one == *other)
        .count()
}

#[cfg(test)]
mod tests;
