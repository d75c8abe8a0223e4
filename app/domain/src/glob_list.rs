//! Lists of patterns, in which the last match counts: views and ignored files of the settings.

use crate::{NameError, PathGlob, PathGlobs};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A pattern of a list. With `!` in front of it, it takes out the files that it matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Entry {
    glob: PathGlob,
    takes_out: bool,
}

/// A list of patterns. The last pattern that matches a file decides: `["src/**", "!**/generated/**"]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GlobList(Vec<Entry>);

/// A list that can match paths.
#[derive(Clone, Debug)]
pub struct CompiledGlobs {
    globs: PathGlobs,
    takes_out: Vec<bool>,
}

impl GlobList {
    /// The most patterns of a list.
    pub const MAX: usize = 1_000;

    /// Reads the patterns of a list. Returns the first pattern that is not valid, with the reason.
    pub fn of<'a>(
        patterns: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, (&'a str, NameError)> {
        let entries = patterns.into_iter();
        let entries = entries.map(|text| text.parse().map_err(|error| (text, error)));
        entries.collect::<Result<_, _>>().map(Self)
    }

    /// The number of patterns.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no pattern, so that no file matches.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Prepares the list for matching.
    pub fn compiled(&self) -> CompiledGlobs {
        CompiledGlobs {
            globs: PathGlobs::new(self.0.iter().map(|entry| &entry.glob)),
            takes_out: self.0.iter().map(|entry| entry.takes_out).collect(),
        }
    }
}

impl CompiledGlobs {
    /// Whether the list contains a file.
    pub fn matches(&self, path: &str) -> bool {
        let last = self.globs.matching(path).pop();
        last.and_then(|last| self.takes_out.get(last)) == Some(&false)
    }

    /// About how many bytes it takes in memory.
    pub fn bytes(&self) -> usize {
        self.globs.bytes() + self.takes_out.len()
    }

    /// How many steps [`Self::matches`] takes at most.
    pub fn steps(&self, path: &str) -> u64 {
        self.globs.steps(path)
    }
}

impl FromStr for Entry {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let rest = text.strip_prefix('!');
        Ok(Self {
            glob: rest.unwrap_or(text).parse()?,
            takes_out: rest.is_some(),
        })
    }
}

impl TryFrom<String> for Entry {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        text.parse()
    }
}

impl From<Entry> for String {
    fn from(entry: Entry) -> Self {
        let sign = if entry.takes_out { "!" } else { "" };
        format!("{sign}{}", entry.glob)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_match_decides() {
        let list = GlobList::of(["src/**", "!**/generated/**", "src/generated/kept.rs"]);
        let list = list.expect("a list");
        let compiled = list.compiled();
        for (path, is_in) in [
            ("src/a.rs", true),
            ("src/generated/a.rs", false),
            ("src/generated/kept.rs", true),
            ("docs/a.md", false),
            ("generated/a.rs", false),
        ] {
            assert_eq!(compiled.matches(path), is_in, "{path}");
        }
        assert!(!GlobList::default().compiled().matches("a"));
    }

    #[test]
    fn a_pattern_that_is_no_path_is_refused() {
        let refused = GlobList::of(["src/**", "!/a"]).map_err(|(pattern, _)| pattern);
        assert_eq!(refused, Err("!/a"));
    }
}
