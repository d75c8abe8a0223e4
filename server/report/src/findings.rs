//! From what a report states and what was counted in it, the total.

use std::fmt;

use crate::count::{Count, Counter, Coverage};
use crate::format::Format;
use crate::rate::Rate;

/// The totals of one coverage report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// What it was written as.
    pub format: Format,
    /// Line coverage of everything in it.
    pub lines: Coverage,
    /// Branches, where the report states their number and there are any.
    pub branches: Option<Count>,
    /// Functions or methods, where the report states their number and there are any.
    pub functions: Option<Count>,
    /// What does not add up, yet is no reason to refuse the report.
    pub warnings: Vec<Warning>,
}

/// Something in a report that a person may want to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// The stated total, which stands, and the lines listed are more than one point apart.
    Disagreement {
        /// Hundredths of a percent by the stated total.
        stated: u16,
        /// What counting the lines gave.
        counted: Count,
    },
    /// More is stated to be covered than there is; these counts were passed over.
    MoreThanAll {
        /// Stated as covered.
        covered: u64,
        /// Stated as all there is.
        total: u64,
    },
}

impl Warning {
    fn is_more_than_all(&self) -> bool {
        matches!(self, Self::MoreThanAll { .. })
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disagreement { stated, counted } => write!(
                f,
                "the report states {} % in total, but {} of the {} lines it lists are covered, which is {} %",
                percent(*stated),
                counted.covered(),
                counted.total(),
                percent(counted.basis_points()),
            ),
            Self::MoreThanAll { covered, total } => write!(
                f,
                "the report states {covered} covered of {total}, so these counts were not used"
            ),
        }
    }
}

fn percent(basis_points: u16) -> String {
    format!("{}.{:02}", basis_points / 100, basis_points % 100)
}

/// What a format's reader found: evidence, not yet a verdict.
#[derive(Debug)]
pub(crate) struct Findings {
    /// What the report says of the whole.
    pub(crate) stated: Option<Count>,
    /// What `stated` counts.
    pub(crate) counter: Counter,
    /// The rate that the report states for the whole, if it is a number.
    pub(crate) rate: Option<Rate>,
    /// The distinct lines that the report lists; `None` if they were too many to count.
    pub(crate) counted: Option<Count>,
    pub(crate) branches: Option<Count>,
    pub(crate) functions: Option<Count>,
    pub(crate) warnings: Vec<Warning>,
}

impl Findings {
    /// Findings of nothing but the lines listed.
    pub(crate) fn of_lines(counted: Option<Count>) -> Self {
        Self {
            stated: None,
            counter: Counter::Line,
            rate: None,
            counted,
            branches: None,
            functions: None,
            warnings: Vec::new(),
        }
    }

    /// The one place that knows whom to trust: counts stated for the whole, then a rate stated for the whole,
    /// then the lines listed. `None` if only the lines are left and they were too many.
    pub(crate) fn settle(mut self, format: Format) -> Option<Report> {
        let lines = self.coverage()?;
        let listed = self.counted.and_then(Count::non_empty);
        if let Some(counted) = listed {
            let stated = lines.basis_points();
            if stated.abs_diff(counted.basis_points()) > 100 {
                self.warnings
                    .push(Warning::Disagreement { stated, counted });
            }
        }
        Some(Report {
            format,
            lines,
            branches: self.branches.and_then(Count::non_empty),
            functions: self.functions.and_then(Count::non_empty),
            warnings: self.warnings,
        })
    }

    fn coverage(&self) -> Option<Coverage> {
        if let Some(stated) = self.stated.and_then(Count::non_empty) {
            return Some(Coverage::Counts(stated, self.counter));
        }
        let nothing_listed = self.counted == Some(Count::ZERO);
        if let Some(rate) = self.rate {
            let empty = self.stated.is_some() && nothing_listed;
            return Some(if empty {
                Coverage::Empty { rate: Some(rate) }
            } else {
                Coverage::Rate(rate)
            });
        }
        let counted = self.counted?;
        Some(match counted.non_empty() {
            Some(counted) => Coverage::Counts(counted, Counter::Line),
            None => Coverage::Empty { rate: None },
        })
    }
}

/// A count that a report states in two attributes; without either, or with more covered than there is, none.
pub(crate) fn stated(
    covered: Option<u64>,
    total: Option<u64>,
    warnings: &mut Vec<Warning>,
) -> Option<Count> {
    let (covered, total) = covered.zip(total)?;
    let count = Count::new(covered, total);
    let warning = Warning::MoreThanAll { covered, total };
    // A report of ten thousand files that are all wrong needs no ten thousand warnings.
    if count.is_none() && !warnings.iter().any(Warning::is_more_than_all) {
        warnings.push(warning);
    }
    count
}

#[cfg(test)]
mod tests;
