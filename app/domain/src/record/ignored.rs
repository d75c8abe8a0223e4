//! The files of a record that the settings ignore: they are in none of its numbers.

use crate::{CompiledGlobs, Count, GlobList, PathGlobs, Percentage};
use std::{fmt, str::FromStr};

/// The files that an upload left out because of the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IgnoredFiles {
    /// Their number and their lines.
    Known {
        /// The number of files.
        files: u64,
        /// Their covered and total lines.
        lines: Count,
    },
    /// Several parts have ignored files. Their lines are not stored, so it is not known which ones are the same.
    Unknown,
}

/// The ignored files of a record, and what they would change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The files.
    pub files: IgnoredFiles,
    /// The percentage of all lines, if no file were ignored; `None` if it is not known.
    pub percentage_without_rules: Option<Percentage>,
}

impl IgnoredFiles {
    /// No file.
    pub const NONE: Self = Self::Known {
        files: 0,
        lines: Count {
            covered: 0,
            total: 0,
        },
    };

    /// The ignored files of several parts together.
    pub fn of_parts(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = parts.into_iter().filter(|part| *part != Self::NONE);
        match (all.next(), all.next()) {
            (None, _) => Self::NONE,
            (Some(only), None) => only,
            (Some(_), Some(_)) => Self::Unknown,
        }
    }

    /// Describes the ignored files of a record with this percentage and these lines.
    #[must_use]
    pub fn of_record(self, percentage: Percentage, counted: Option<Count>) -> Ignored {
        Ignored {
            files: self,
            percentage_without_rules: match self {
                Self::Unknown => None,
                Self::NONE => Some(percentage),
                Self::Known { lines, .. } => counted.map(|count| count.plus(lines).percentage()),
            },
        }
    }
}

/// As the database stores it: `3 40 50`, or `unknown`.
impl fmt::Display for IgnoredFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known { files, lines } => write!(f, "{files} {} {}", lines.covered, lines.total),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

/// A text that is no stored form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotIgnoredFiles;

impl FromStr for IgnoredFiles {
    type Err = NotIgnoredFiles;

    fn from_str(text: &str) -> Result<Self, NotIgnoredFiles> {
        if text == "unknown" {
            return Ok(Self::Unknown);
        }
        let numbers = text.split(' ').map(str::parse);
        let numbers: Result<Vec<u64>, _> = numbers.collect();
        match numbers.as_deref() {
            Ok(&[files, covered, total]) => Ok(Self::Known {
                files,
                lines: Count { covered, total },
            }),
            _ => Err(NotIgnoredFiles),
        }
    }
}

/// Prepares ignore rules for matching these paths. `None` if that takes too many steps, so that the rules do not count.
pub fn ignoring<'a>(
    rules: &GlobList,
    paths: impl IntoIterator<Item = &'a str>,
) -> Option<CompiledGlobs> {
    let rules = rules.compiled();
    let mut paths = paths.into_iter().map(|path| rules.steps(path));
    let steps = paths.try_fold(0_u64, |sum, steps| {
        let sum = sum.saturating_add(steps);
        (sum <= PathGlobs::MAX_STEPS).then_some(sum)
    });
    steps.is_some().then_some(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(files: u64, covered: u64, total: u64) -> IgnoredFiles {
        IgnoredFiles::Known {
            files,
            lines: Count { covered, total },
        }
    }

    #[test]
    fn the_stored_form_is_read_back() {
        for ignored in [IgnoredFiles::NONE, known(3, 4, 5), IgnoredFiles::Unknown] {
            assert_eq!(ignored.to_string().parse(), Ok(ignored));
        }
        for wrong in ["", "1 2", "1 2 3 4", "-1 2 3"] {
            assert!(wrong.parse::<IgnoredFiles>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn ignored_files_of_two_parts_are_not_added() {
        let none = IgnoredFiles::NONE;
        assert_eq!(IgnoredFiles::of_parts([]), none);
        assert_eq!(
            IgnoredFiles::of_parts([none, known(1, 2, 3)]),
            known(1, 2, 3)
        );
        let both = IgnoredFiles::of_parts([known(1, 2, 3), known(1, 2, 3)]);
        assert_eq!(both, IgnoredFiles::Unknown);
    }

    #[test]
    fn the_percentage_without_rules_is_of_all_lines() {
        let percentage = Percentage::from_basis_points(7_500);
        let lines = Some(Count {
            covered: 3,
            total: 4,
        });
        let without = |ignored: IgnoredFiles, lines| {
            let ignored = ignored.of_record(percentage, lines);
            ignored
                .percentage_without_rules
                .map(|without| without.basis_points())
        };
        assert_eq!(without(known(1, 0, 2), lines), Some(5_000));
        assert_eq!(without(known(1, 0, 2), None), None);
        assert_eq!(without(IgnoredFiles::NONE, None), Some(7_500));
        assert_eq!(without(IgnoredFiles::Unknown, lines), None);
    }

    #[test]
    fn rules_that_take_too_many_steps_do_not_count() {
        let many: Vec<_> = (0..1_000).map(|number| format!("**/{number}/*")).collect();
        let rules = GlobList::of(many.iter().map(String::as_str)).expect("patterns");
        let path = "a/".repeat(60);
        assert!(ignoring(&rules, [path.as_str()]).is_some());
        assert!(ignoring(&rules, std::iter::repeat_n(path.as_str(), 100_000)).is_none());
    }
}
