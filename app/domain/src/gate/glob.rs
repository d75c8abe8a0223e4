//! Patterns of paths in a repository.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// A pattern that matches whole paths of a repository.
///
/// As a component, `**` stands for any number of folders, and at the end for everything in the folder before it. Within
/// a component, `*` stands for any characters and `?` for one. All other characters stand for themselves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PathGlob(String);

/// Why a text is not a pattern: a phrase that follows the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "must be a path in the repository such as billing/**: 1 to 255 bytes without control characters, and no / or ./ at its beginning and no / at its end"
)]
pub struct PathGlobError;

impl PathGlob {
    /// The pattern as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PathGlob {
    type Err = PathGlobError;

    fn from_str(text: &str) -> Result<Self, PathGlobError> {
        Self::try_from(text.to_owned())
    }
}

impl TryFrom<String> for PathGlob {
    type Error = PathGlobError;

    fn try_from(text: String) -> Result<Self, PathGlobError> {
        let is_good = (1..=255).contains(&text.len())
            && !text.chars().any(char::is_control)
            && !text.starts_with('/')
            && !text.starts_with("./")
            && !text.ends_with('/');
        if is_good {
            Ok(Self(text))
        } else {
            Err(PathGlobError)
        }
    }
}

impl From<PathGlob> for String {
    fn from(glob: PathGlob) -> Self {
        glob.0
    }
}

impl fmt::Display for PathGlob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_that_no_path_can_match_is_refused() {
        for bad in ["", "/src", "./src", "src/", "a\nb", &"a".repeat(256)] {
            assert_eq!(bad.parse::<PathGlob>(), Err(PathGlobError), "{bad:?}");
        }
    }
}
