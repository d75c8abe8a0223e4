//! The warnings about an accepted coverage file.

use crate::count::Count;
use crate::counter::{Counter, Counters};
use crate::error::shown;
use crate::number::integer;

/// Something in a coverage file that a person should check. Its text is a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// The stated total, which is used, and the sum of the listed files differ by more than one percentage point.
    #[error(
        "the coverage file states {} % in total, but the sum of its files is {} covered of {} ({counter} counts), which is {} %",
        percent(*.stated),
        .counted.covered(),
        .counted.total(),
        percent(.counted.basis_points())
    )]
    Disagreement {
        /// The stated total in hundredths of a percent.
        stated: u16,
        /// The sum of the list.
        counted: Count,
        /// The counter of the stated total. If it is `Statement` and the files have no counts of statements, the sum counts lines.
        counter: Counter,
    },
    /// The stated rate and the stated counts, which are used, differ by more than one percentage point.
    #[error(
        "the coverage file states {} %, but also {} covered of {}, which is {} %; the second percentage was used",
        percent(*.rate),
        .stated.covered(),
        .stated.total(),
        percent(.stated.basis_points())
    )]
    RateDisagreement {
        /// The stated rate in hundredths of a percent.
        rate: u16,
        /// The stated counts.
        stated: Count,
    },
    /// The stated covered number is more than the total. These counts were ignored.
    #[error(
        "the coverage file states {covered} covered of {total}, which is impossible, so these counts were not used"
    )]
    MoreThanAll {
        /// The stated covered number.
        covered: u64,
        /// The stated total.
        total: u64,
    },
    /// An attribute that should be a number is not one. It was ignored.
    #[error("{name}=\"{value}\" is not a number in range and was not used")]
    NotANumber {
        /// The attribute, as the format names it.
        name: &'static str,
        /// The value, at most 60 characters of it.
        value: String,
    },
    /// The files need more than [`Limits::memory_bytes`](crate::Limits::memory_bytes). They are not listed.
    #[error("the coverage file has too many files to list, so only its totals were read")]
    TooManyFiles,
    /// The lines need more than [`Limits::memory_bytes`](crate::Limits::memory_bytes). The files have only their counts.
    #[error(
        "the coverage file has too many lines to keep the state of each line, so only the counts of each file were read"
    )]
    TooManyLines,
    /// The tests need more than [`Limits::memory_bytes`](crate::Limits::memory_bytes), or are more than 50,000.
    #[error(
        "the coverage file has too many tests, so the service does not store which test ran which line"
    )]
    TooManyTests,
}

fn percent(basis_points: u16) -> String {
    format!("{}.{:02}", basis_points / 100, basis_points % 100)
}

/// The counts that an XML element states in its attributes, or a JSON object in its members.
pub(crate) struct Stated<const N: usize> {
    names: [(Counter, &'static str, &'static str); N],
    numbers: [(Option<u64>, Option<u64>); N],
}

impl<const N: usize> Stated<N> {
    /// `names` has for each counter the names of the covered number and of the total.
    pub(crate) fn of(names: [(Counter, &'static str, &'static str); N]) -> Self {
        Self {
            names,
            numbers: [(None, None); N],
        }
    }

    /// The name, and the field that stores the number with this name. `None` if no count has a number with this name.
    pub(crate) fn number(&mut self, name: &[u8]) -> Option<(&'static str, &mut Option<u64>)> {
        let mut counts = self.names.iter().zip(&mut self.numbers);
        counts.find_map(|(&(_, covered, total), numbers)| match name {
            _ if name == covered.as_bytes() => Some((covered, &mut numbers.0)),
            _ if name == total.as_bytes() => Some((total, &mut numbers.1)),
            _ => None,
        })
    }

    pub(crate) fn see(&mut self, name: &[u8], value: &[u8]) {
        if let Some((_, number)) = self.number(name) {
            *number = integer(value);
        }
    }

    /// Like [`Stated::see`], with a warning about a value that is not a number.
    pub(crate) fn see_checked(&mut self, name: &[u8], value: &[u8], warnings: &mut Warnings) {
        if let Some((name, number)) = self.number(name) {
            *number = warnings.checked(name, value, integer(value));
        }
    }

    pub(crate) fn counters(self, warnings: &mut Warnings) -> Counters {
        let mut counters = Counters::default();
        for ((counter, ..), (covered, total)) in self.names.into_iter().zip(self.numbers) {
            counters.add(counter, warnings.count(covered, total));
        }
        counters
    }
}

/// The warnings about one coverage file. Each kind occurs once, and [`Warning::NotANumber`] once for each name of an attribute,
/// so that ten thousand wrong values in the coverage file do not cause ten thousand warnings.
#[derive(Debug, Default)]
pub(crate) struct Warnings(Vec<Warning>);

impl Warnings {
    pub(crate) fn push(&mut self, warning: Warning) {
        let is_known = |known: &Warning| match (known, &warning) {
            (Warning::NotANumber { name, .. }, Warning::NotANumber { name: other, .. }) => {
                name == other
            }
            (known, warning) => std::mem::discriminant(known) == std::mem::discriminant(warning),
        };
        if !self.0.iter().any(is_known) {
            self.0.push(warning);
        }
    }

    /// Returns `number`. Adds a warning if `value` was not a number.
    pub(crate) fn checked<N>(
        &mut self,
        name: &'static str,
        value: &[u8],
        number: Option<N>,
    ) -> Option<N> {
        if number.is_none() {
            let value = shown(value);
            self.push(Warning::NotANumber { name, value });
        }
        number
    }

    /// Returns a count stated in two numbers. `None` if one is missing, or if covered is more than total.
    pub(crate) fn count(&mut self, covered: Option<u64>, total: Option<u64>) -> Option<Count> {
        let (covered, total) = covered.zip(total)?;
        let count = Count::new(covered, total);
        if count.is_none() {
            self.push(Warning::MoreThanAll { covered, total });
        }
        count
    }

    pub(crate) fn into_vec(self) -> Vec<Warning> {
        self.0
    }
}
