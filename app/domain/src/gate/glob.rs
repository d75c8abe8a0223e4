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

/// Why a text is not a pattern: a phrase that follows what it is for.
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

    /// Whether it matches a path. The time grows at most with the length of the pattern times that of the path.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        let last = self.0.rsplit('/').next();
        let file = (last == Some("**")).then_some("*");
        let components = self.0.split('/').chain(file);
        matches(
            components,
            path.split('/'),
            |&component| component == "**",
            |component, name| {
                matches(
                    component.chars(),
                    name.chars(),
                    |&character| character == '*',
                    |&wanted, &character| wanted == '?' || wanted == character,
                )
            },
        )
    }
}

/// Whether a pattern matches all items, where an item of the pattern that `is_any` stands for any number of them. It only
/// ever returns to the last such item: to match the earlier ones with more cannot help.
fn matches<P, T>(
    mut pattern: P,
    mut items: T,
    is_any: impl Fn(&P::Item) -> bool,
    fits: impl Fn(&P::Item, &T::Item) -> bool,
) -> bool
where
    P: Iterator + Clone,
    T: Iterator + Clone,
{
    let mut last_any: Option<(P, T)> = None;
    loop {
        let from = items.clone();
        match (pattern.next(), items.next()) {
            (None, None) => return true,
            (Some(wanted), _) if is_any(&wanted) => {
                items = from.clone();
                last_any = Some((pattern.clone(), from));
                continue;
            }
            (Some(wanted), Some(item)) if fits(&wanted, &item) => continue,
            _ => {}
        }
        let Some((after, from)) = &mut last_any else {
            return false;
        };
        if from.next().is_none() {
            return false;
        }
        (pattern, items) = (after.clone(), from.clone());
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
    use proptest::prelude::*;

    fn is_match(glob: &str, path: &str) -> bool {
        glob.parse::<PathGlob>().expect("a glob").matches(path)
    }

    #[test]
    fn a_glob_matches_whole_paths_only() {
        for (glob, path) in [
            ("billing/**", "billing/tax.rs"),
            ("billing/**", "billing/a/b/tax.rs"),
            ("**", "tax.rs"),
            ("**", "a/b/tax.rs"),
            ("**/tax.rs", "tax.rs"),
            ("**/tax.rs", "a/b/tax.rs"),
            ("src/**/*.rs", "src/tax.rs"),
            ("src/**/*.rs", "src/a/b/tax.rs"),
            ("**/a/**/b/**", "x/a/a/y/b/b"),
            ("src/*.rs", "src/.rs"),
            ("src/t?x.rs", "src/täx.rs"),
            ("src/[a].rs", "src/[a].rs"),
            ("a/**b/c", "a/xb/c"),
            ("*a*b", "aaxbxb"),
        ] {
            assert!(is_match(glob, path), "{glob} {path}");
        }
        for (glob, path) in [
            ("billing/**", "billing"),
            ("billing/**", "src/billing/tax.rs"),
            ("billing/**", "billings/tax.rs"),
            ("billing", "billing/tax.rs"),
            ("src/*.rs", "src/a/tax.rs"),
            ("src/*", "src"),
            ("src/?.rs", "src/ab.rs"),
            ("src/?.rs", "src/.rs"),
            ("src?a.rs", "src/a.rs"),
            ("src/[a].rs", "src/a.rs"),
            ("a/**b/c", "a/x/b/c"),
            ("Src/*", "src/a"),
            ("**/a/**/b", "a/c/b/c"),
        ] {
            assert!(!is_match(glob, path), "{glob} {path}");
        }
    }

    #[test]
    fn a_pattern_that_no_path_can_match_is_refused() {
        for bad in ["", "/src", "./src", "src/", "a\nb", &"a".repeat(256)] {
            assert_eq!(bad.parse::<PathGlob>(), Err(PathGlobError), "{bad:?}");
        }
    }

    #[test]
    fn a_hostile_pattern_takes_no_exponential_time() {
        let folders = "**/a/".repeat(50);
        assert!(!is_match(&format!("{folders}b"), &"a/".repeat(2_000)));
        let stars = "*a".repeat(120);
        assert!(!is_match(&format!("{stars}b"), &"a".repeat(4_000)));
    }

    /// The definition, which may take exponential time.
    fn defined(pattern: &[&str], path: &[&str]) -> bool {
        fn component(pattern: &[char], name: &[char]) -> bool {
            match (pattern, name) {
                ([], []) => true,
                (['*', rest @ ..], _) => {
                    (0..=name.len()).any(|taken| component(rest, &name[taken..]))
                }
                ([wanted, rest @ ..], [first, names @ ..]) => {
                    (*wanted == '?' || wanted == first) && component(rest, names)
                }
                _ => false,
            }
        }
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        match (pattern, path) {
            ([], []) => true,
            (["**"], _) => !path.is_empty(),
            (["**", rest @ ..], _) => (0..=path.len()).any(|taken| defined(rest, &path[taken..])),
            ([wanted, rest @ ..], [first, names @ ..]) => {
                component(&chars(wanted), &chars(first)) && defined(rest, names)
            }
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn matching_is_as_defined(glob in "([ab*?]{1,4}|\\*\\*)(/([ab*?]{1,4}|\\*\\*)){0,4}", path in "[ab]{1,4}(/[ab]{1,3}){0,5}") {
            let pattern: Vec<_> = glob.split('/').collect();
            let names: Vec<_> = path.split('/').collect();
            prop_assert_eq!(is_match(&glob, &path), defined(&pattern, &names));
        }
    }
}
