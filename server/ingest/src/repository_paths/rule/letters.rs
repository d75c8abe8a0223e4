//! Files whose paths differ from a path in the coverage file only by case.

use super::{
    super::{
        listing::RepositoryPaths,
        name::{MAX_COMPONENTS, components},
    },
    JobFolders,
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
        let mut found = Vec::new();
        for joined in place.joined(name) {
            self.add(&joined, &mut found);
        }
        self.add(name, &mut found);
        found.sort_unstable();
        found.dedup();
        match found[..] {
            [one] => Some(one),
            _ => None,
        }
    }

    fn add(&self, name: &str, found: &mut Vec<u32>) {
        let name = name.to_lowercase();
        let mut ending = None;
        for component in components(&name).rev().take(MAX_COMPONENTS) {
            let Some(longer) = self.lower.with(ending, component) else {
                return;
            };
            ending = Some(longer);
            let whole = (longer.first..longer.end)
                .take_while(|&number| self.lower.is_whole(number, longer));
            found.extend(
                whole
                    .filter_map(|number| self.numbers.get(number as usize))
                    .take(2),
            );
        }
    }
}
