//! The paths of a repository's files. Finds the file that a path in a coverage file means.

mod index;
mod listing;
mod name;
mod rule;
#[cfg(test)]
mod tests;

pub use listing::ListingError;
pub(crate) use listing::{MAX_PATHS_BYTES, RepositoryPaths};
pub(super) use rule::{Job, Meaning, Named, Reason};
