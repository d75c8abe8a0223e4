//! Files whose paths differ from a path in the coverage file only by case.

use super::{
    super::{listing::RepositoryPaths, name::MAX_COMPONENTS},
    JobFolders,
    endings::{Step, steps},
};

/// The repository's paths in lower case.
pub(super) struct Letters {
    lower: RepositoryPaths,
    numbers: Vec<u32>,
}

impl Letters {
    pub(super) fn of(listing: &RepositoryPaths) -> Self {
        let (lower, numbers) = listing.lower_case();
        Self { lower, numbers }
    }

    /// Returns the only file whose whole path is an ending of the name, ignoring case.
    pub(super) fn find(&self, name: &str, place: &JobFolders<'_>) -> Option<u32> {
        let mut found: Vec<u32> = Vec::new();
        for name in place.joined(name).chain([name.to_owned()]) {
            let name = name.to_lowercase();
            for Step { ending, .. } in steps(&self.lower, &name, None, MAX_COMPONENTS) {
                let whole = (ending.first..ending.end)
                    .take_while(|&number| self.lower.is_whole(number, ending));
                let numbers = whole.filter_map(|number| self.numbers.get(number as usize));
                found.extend(numbers.take(2));
            }
        }
        found.sort_unstable();
        found.dedup();
        match found[..] {
            [one] => Some(one),
            _ => None,
        }
    }
}
