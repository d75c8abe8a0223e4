//! The paths of a repository's files, and which of them a path in a coverage file means.

mod index;
mod listing;
mod name;
mod rule;

pub use listing::ListingError;
pub(crate) use listing::MAX_PATHS_BYTES;
pub(super) use rule::{Job, Meaning, Named, Reason};

use listing::Listing;

/// The paths of a repository's files. They are found by their last components.
pub(super) struct RepositoryPaths {
    listing: Listing,
}

impl RepositoryPaths {
    /// Reads what `git ls-files -z` printed, plain or compressed with gzip.
    ///
    /// # Errors
    ///
    /// If it is something else, or exceeds a limit.
    pub(super) fn read(sent: Vec<u8>) -> Result<Self, ListingError> {
        let listing = Listing::read(sent)?;
        Ok(Self { listing })
    }

    /// Says for each file of a coverage file which file of the repository it is. `agree` says whether the coverable lines of two
    /// files, by their numbers in `files`, are so much alike that the two are one.
    pub(super) fn meanings(
        &self,
        files: &[Named<'_>],
        job: &Job<'_>,
        agree: &dyn Fn(usize, usize) -> bool,
    ) -> Vec<Meaning> {
        rule::meanings(&self.listing, files, job, agree)
    }

    /// The path with this number.
    pub(super) fn get(&self, number: u32) -> &str {
        self.listing.get(number as usize)
    }

    /// Whether exactly this path is listed.
    pub(super) fn contains(&self, path: &str) -> bool {
        self.listing.find(path).is_some()
    }
}

#[cfg(test)]
mod tests;
