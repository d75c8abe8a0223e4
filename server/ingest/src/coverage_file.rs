//! Finds the coverage file in an archive by the name that the client sent.

use std::{fmt, str::FromStr};

/// The number of files that an error suggests if the named coverage file is missing.
const NAMED_FILES: usize = 20;

/// The name of the coverage file, or its path inside the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverageFileName(String);

impl CoverageFileName {
    fn matches(&self, path: &str) -> bool {
        path.strip_suffix(&self.0)
            .is_some_and(|before| before.is_empty() || before.ends_with('/'))
    }
}

impl FromStr for CoverageFileName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let path = text.strip_prefix("./").unwrap_or(text);
        let is_good = (1..=1_024).contains(&path.len())
            && !path.chars().any(char::is_control)
            && path
                .split('/')
                .all(|segment| !matches!(segment, "" | "." | ".."));
        if is_good {
            Ok(Self(path.to_owned()))
        } else {
            Err(
                "must be the name of the coverage file, or its path inside the archive, of at most 1024 bytes",
            )
        }
    }
}

impl fmt::Display for CoverageFileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Finds the coverage file among the entries of an archive in one pass. Of several matches the shallowest wins, then the
/// first in byte order.
pub(super) struct CoverageFile<'a, T> {
    wanted: &'a CoverageFileName,
    best: Option<(String, T)>,
    candidates: Vec<String>,
}

impl<'a, T> CoverageFile<'a, T> {
    pub(super) fn new(wanted: &'a CoverageFileName) -> Self {
        Self {
            wanted,
            best: None,
            candidates: Vec::new(),
        }
    }

    /// Returns whether the entry at `path` is the best match so far. If so, it must be read.
    pub(super) fn is_better(&mut self, path: &str) -> bool {
        if self.candidates.len() < NAMED_FILES && may_be_a_coverage_file(path) {
            self.candidates.push(path.to_owned());
        }
        let rank = |path: &str| (path.matches('/').count(), path.to_owned());
        self.wanted.matches(path)
            && self
                .best
                .as_ref()
                .is_none_or(|(best, _)| rank(path) < rank(best))
    }

    /// Stores the content that was read at `path`.
    pub(super) fn set(&mut self, path: String, read: T) {
        self.best = Some((path, read));
    }

    /// Returns the best match and its content, or the paths of files that the client may have meant.
    pub(super) fn finish(self) -> Result<(String, T), Vec<String>> {
        self.best.ok_or(self.candidates)
    }
}

/// Returns whether a file has a typical name of a coverage file.
fn may_be_a_coverage_file(path: &str) -> bool {
    const EXTENSIONS: [&str; 5] = ["xml", "coveragexml", "info", "lcov", "out"];
    const JSON: [&str; 3] = ["coverage", "lcov", "resultset"];
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    if name.starts_with("._") {
        // macOS packs extended attributes as a file next to each file.
        return false;
    }
    match name.rsplit_once('.') {
        Some((stem, "json")) => JSON.iter().any(|word| stem.contains(word)),
        Some((_, extension)) => EXTENSIONS.contains(&extension),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(wanted: &str, paths: &[&str]) -> Result<String, Vec<String>> {
        let wanted = wanted.parse().expect("a name");
        let mut file = CoverageFile::new(&wanted);
        for path in paths {
            if file.is_better(path) {
                file.set((*path).to_owned(), ());
            }
        }
        file.finish().map(|(path, ())| path)
    }

    #[test]
    fn a_name_matches_whole_segments_at_any_depth() {
        assert_eq!(
            found("coverage.xml", &["a/mycoverage.xml", "a/b/coverage.xml"]).as_deref(),
            Ok("a/b/coverage.xml")
        );
        assert_eq!(
            found("b/coverage.xml", &["a/coverage.xml", "a/b/coverage.xml"]).as_deref(),
            Ok("a/b/coverage.xml")
        );
        assert_eq!(
            found("./coverage.xml", &["coverage.xml"]).as_deref(),
            Ok("coverage.xml")
        );
    }

    #[test]
    fn the_shallowest_match_wins_then_the_first_in_byte_order() {
        let paths = ["z/y/c.xml", "b/c.xml", "a/c.xml", "a/a/c.xml"];
        assert_eq!(found("c.xml", &paths).as_deref(), Ok("a/c.xml"));
    }

    #[test]
    fn without_a_match_similar_files_are_named() {
        let reports = [
            "a.XML",
            "d/lcov.info",
            "coverage-final.json",
            ".resultset.json",
            "c.out",
        ];
        let others = [
            "b.html",
            "package.json",
            "xml",
            "a.xml/style.css",
            "b/._c.xml",
        ];
        assert_eq!(
            found("c.xml", &[reports.as_slice(), &others].concat()),
            Err(reports.map(str::to_owned).to_vec())
        );
    }

    #[test]
    fn names_that_cannot_match_are_refused() {
        for bad in ["", "/", "a//b", "../c.xml", "a/./b", "a\nb", "c.xml/"] {
            assert!(bad.parse::<CoverageFileName>().is_err(), "{bad:?}");
        }
    }
}
