//! What a deletion would delete.

use crate::Repository;

/// What a deletion would delete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deletable {
    /// The repository.
    pub repository: Repository,
    /// A description for people.
    pub subject: String,
    /// The number of records.
    pub records: u64,
    /// The number of records with an HTML report.
    pub reports: u64,
}
