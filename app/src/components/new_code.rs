//! New code as a number beside a total.

use crate::numbers::{counted, covered_of, grouped};
use domain::{Day, NewCount, Percentage};

/// The percentage of new code, and of how many lines; `None` if no line is new. Lines that may be new are stated beside.
pub(crate) fn new_code(new: NewCount) -> Option<(Percentage, String)> {
    let percentage = Percentage::of(new.lines)?;
    let lines = counted(new.lines.total, "line", "lines");
    Some((percentage, format!("{lines}{}", may_be_new(new))))
}

/// Lines that may be new, to follow a number of new lines.
pub(crate) fn may_be_new(new: NewCount) -> String {
    match new.unknown {
        0 => String::new(),
        lines => format!(", {} may be new", grouped(lines)),
    }
}

/// The tooltip of new code.
pub(crate) fn about(new: NewCount, day: Day) -> String {
    format!(
        "{} new lines covered, counted on {}. Lines are new since the repository’s new_since, by default for 90 days.",
        covered_of(new.lines),
        day.long()
    )
}
