//! How many paths of a coverage file are files of the repository.

/// The result of comparing the paths of a coverage file with the paths of the repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchedPaths {
    /// Paths that name a file of the repository.
    pub matched: u64,
    /// All paths in the coverage file.
    pub of: u64,
    /// The first few paths that do not.
    pub unmatched: Vec<UnmatchedPath>,
    /// Whether the paths were compared by the rule of former releases: by the longest common ending.
    pub is_by_former_rule: bool,
}

/// A path that is no file of the repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnmatchedPath {
    /// As the coverage file writes it.
    pub path: String,
    /// Why, as a phrase that follows the path; empty if it is not known.
    pub reason: String,
}

impl MatchedPaths {
    /// How many unmatched paths are named.
    pub const NAMED: usize = 10;

    /// Whether fewer than 90 % match, so that the job probably has to be changed.
    #[must_use]
    pub fn are_few(&self) -> bool {
        self.matched.saturating_mul(10) < self.of.saturating_mul(9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_ninety_percent_are_few() {
        let few = |matched, of| {
            let paths = MatchedPaths {
                matched,
                of,
                ..MatchedPaths::default()
            };
            paths.are_few()
        };
        assert!(few(8, 9));
        assert!(few(0, 1));
        assert!(!few(9, 10));
        assert!(!few(0, 0));
    }
}
