//! The owners of each path: reads a CODEOWNERS file with the rules of GitHub or GitLab.
//!
//! A path takes a bounded number of steps, whatever the file says. Rules without wildcards are looked up; all rules with wildcards
//! are one automaton. No I/O, no clock.

mod line;
mod literals;
mod names;
mod notices;
mod pattern;
mod reader;
mod words;

use domain::{OwnersOf, PathGlobs};
use literals::Literals;

/// A CODEOWNERS file, ready to find the owners of paths.
#[derive(Clone, Debug)]
pub struct Owners {
    of: OwnersOf,
    names: Vec<String>,
    notices: Vec<String>,
    is_too_costly: bool,
    rules: Vec<Rule>,
    /// The owners of all rules, one rule after the other, each in order and once.
    owners: Vec<u32>,
    literals: Literals,
    globs: PathGlobs,
    /// The rule of each pattern in `globs`.
    rule_of: Vec<u32>,
    /// The most owners that a path can have, counted once for each section.
    most_owners: usize,
    /// The bytes of the names in rules and of owners.
    name_bytes: usize,
}

/// A line that matches paths. Its index is its place in the file.
#[derive(Clone, Copy, Debug)]
struct Rule {
    section: u32,
    /// Where its owners are.
    first: u32,
    count: u32,
    /// Whether the paths have no owners of this section.
    excludes: bool,
}

impl Owners {
    /// The most bytes of a file: 3 MiB. GitHub loads no larger one either.
    pub const MAX_BYTES: usize = 3 << 20;

    /// Reads a file. A malformed line is skipped, with a notice.
    #[must_use]
    pub fn read(text: &[u8], of: OwnersOf) -> Self {
        reader::read(text, of)
    }

    /// What is wrong with the file: sentences about the first lines, and how many lines more have problems.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Whether the file is too large, or has too many rules to match paths with. Then no path has owners.
    #[must_use]
    pub fn is_too_costly(&self) -> bool {
        self.is_too_costly
    }

    /// All owners, in the order in which the file first names them, as it first spells them.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The owners of a path, as indexes of [`Self::names`] in ascending order.
    #[must_use]
    pub fn of(&self, path: &str) -> Vec<u32> {
        if path.is_empty() || !PathGlobs::can_match(path) {
            return Vec::new();
        }
        let mut matching = self.literals.matching(path);
        let patterns = self.globs.matching(path).into_iter();
        matching.extend(patterns.map(|pattern| self.rule_of[pattern]));
        match self.of {
            OwnersOf::Github => matching
                .into_iter()
                .max()
                .map(|last| self.owners_of(last).to_vec())
                .unwrap_or_default(),
            OwnersOf::Gitlab => self.of_sections(matching),
        }
    }

    /// About how many bytes it takes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        /// A rule is looked up by its name, or has a place among the patterns.
        const RULE: usize = 100;
        const NAME: usize = size_of::<String>();
        let rules = self.rules.len() * RULE + size_of_val(&*self.owners);
        rules + self.names.len() * NAME + self.name_bytes + self.globs.bytes()
    }

    /// How many steps [`Self::of`] takes at most.
    #[must_use]
    pub fn steps(&self, path: &str) -> u64 {
        if path.is_empty() || !PathGlobs::can_match(path) {
            return 1;
        }
        let found = self.literals.steps(path) + self.most_owners as u64;
        1 + found + self.globs.steps(path)
    }

    /// The owners in each section, unless it excludes the path.
    fn of_sections(&self, mut matching: Vec<u32>) -> Vec<u32> {
        let rule = |place: u32| self.rules[place as usize];
        matching.sort_unstable_by_key(|&place| (rule(place).section, place));
        let mut owners = Vec::new();
        for of_section in matching.chunk_by(|&a, &b| rule(a).section == rule(b).section) {
            if let [.., last] = of_section
                && !of_section.iter().any(|&place| rule(place).excludes)
            {
                owners.extend_from_slice(self.owners_of(*last));
            }
        }
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    fn owners_of(&self, place: u32) -> &[u32] {
        let Rule { first, count, .. } = self.rules[place as usize];
        &self.owners[first as usize..][..count as usize]
    }
}
