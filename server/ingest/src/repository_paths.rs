//! The paths of a repository's files. Finds the file that a path in a coverage file means.

mod index;
mod listing;
mod name;
mod rule;

pub use listing::ListingError;
pub(crate) use listing::MAX_PATHS_BYTES;
pub(super) use rule::{Job, Meaning, Named, Reason};

use listing::Listing;

/// The paths of a repository's files, found by their last components.
pub(super) struct RepositoryPaths {
    listing: Listing,
}

impl RepositoryPaths {
    /// Reads the output of `git ls-files -z`, plain or compressed with gzip.
    ///
    /// # Errors
    ///
    /// If the bytes are something else, or exceed a limit.
    pub(super) fn read(sent: Vec<u8>) -> Result<Self, ListingError> {
        let listing = Listing::read(sent)?;
        Ok(Self { listing })
    }

    /// Returns the meaning of each file of a coverage file. `agree` returns whether the coverable lines of two files, given by
    /// their indexes in `files`, are so similar that both are the same file.
    pub(super) fn meanings(
        &self,
        files: &[Named<'_>],
        job: &Job<'_>,
        agree: &dyn Fn(usize, usize) -> bool,
    ) -> Vec<Meaning> {
        rule::meanings(&self.listing, files, job, agree)
    }

    /// Returns the path with this number.
    pub(super) fn get(&self, number: u32) -> &str {
        self.listing.get(number as usize)
    }

    pub(super) fn contains(&self, path: &str) -> bool {
        self.listing.find(path).is_some()
    }
}

#[cfg(test)]
mod tests;
