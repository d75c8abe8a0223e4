//! The reasons of a change: groups of one cause, as a clause.

use super::{Reason, place::Location};
use crate::{
    ChangeCause, ChangeGroup, Explanation, PartContent, PartName, RecordParts, text::counted,
};
use std::collections::BTreeSet;

/// Groups that are one reason.
#[derive(Default)]
struct Sum<'a> {
    covered: i64,
    total: i64,
    flickering: i64,
    place: Location<'a>,
}

impl<'a> FromIterator<&'a ChangeGroup> for Sum<'a> {
    fn from_iter<I: IntoIterator<Item = &'a ChangeGroup>>(groups: I) -> Self {
        let mut sum = Self::default();
        for group in groups {
            sum.covered += group.covered;
            sum.total += group.total;
            sum.flickering += i64::try_from(group.flickering).unwrap_or_default();
            sum.place.add(group);
        }
        sum
    }
}

pub(super) fn of(explanation: &Explanation, parts: &RecordParts) -> Vec<Reason> {
    let mut reasons = absent_parts(explanation, parts);
    reasons.extend(changed_lines(explanation));
    for cause in [ChangeCause::Lost, ChangeCause::Gained] {
        reasons.extend(unchanged_lines(explanation, cause));
    }
    for cause in [ChangeCause::Vanished, ChangeCause::Appeared] {
        reasons.extend(measured_lines(explanation, cause));
    }
    reasons.extend(files_of_one_side(explanation));
    reasons.extend(rest(explanation));
    reasons
}

fn sum(explanation: &Explanation, wanted: impl Fn(&ChangeGroup) -> bool) -> Sum<'_> {
    let groups = explanation.groups.iter();
    groups.filter(|group| wanted(group)).collect()
}

/// A reason, if its lines have an effect.
fn reason(
    explanation: &Explanation,
    (covered, total): (i64, i64),
    text: impl FnOnce(i128) -> String,
) -> Option<Reason> {
    let share = explanation.share_of(covered, total);
    ((covered, total) != (0, 0)).then(|| Reason {
        text: text(share),
        share,
    })
}

fn absent_parts(explanation: &Explanation, parts: &RecordParts) -> Vec<Reason> {
    let groups = explanation.groups.iter();
    let names: BTreeSet<&PartName> = groups.filter_map(|group| group.part.as_ref()).collect();
    let reasons = names.into_iter().filter_map(|part| {
        let sum = sum(explanation, |group| group.part.as_ref() == Some(part));
        reason(explanation, (sum.covered, sum.total), |_| {
            absence(part, parts)
        })
    });
    reasons.collect()
}

fn absence(part: &PartName, parts: &RecordParts) -> String {
    let arrived = parts.arrived.iter().find(|arrived| arrived.name == *part);
    let is_skipped = arrived.is_some_and(|part| matches!(part.content, PartContent::Skipped(_)));
    let is_missing = parts.missing().names().any(|missing| missing == part);
    let part = match part.is_named() {
        true => part.to_string(),
        false => "the unnamed part".to_owned(),
    };
    if is_skipped {
        format!("{part} was skipped")
    } else if is_missing && !parts.are_complete() {
        format!("{part} has not reported")
    } else {
        format!("{part} did not report")
    }
}

fn changed_lines(explanation: &Explanation) -> Vec<Reason> {
    let new = sum(explanation, |group| group.cause == ChangeCause::Added);
    let gone = sum(explanation, |group| group.cause == ChangeCause::Removed);
    let new = reason(explanation, (new.covered, new.total), |share| {
        added(&new, share)
    });
    let gone = reason(explanation, (gone.covered, gone.total), |_| removed(&gone));
    [new, gone].into_iter().flatten().collect()
}

/// A clause about the new lines: about the covered or the uncovered ones, whichever explain the sign of their share.
fn added(new: &Sum<'_>, share: i128) -> String {
    let (covered, total) = (new.covered.unsigned_abs(), new.total.unsigned_abs());
    let missed = total.saturating_sub(covered);
    if let (true, Some(file)) = (missed == total, new.place.file()) {
        let (lines, are) = (counted(total, "new line"), are(total));
        return format!("{file} has {lines} that {are} not covered");
    }
    let (some, word) = if share > 0 || missed == 0 {
        (covered, "covered")
    } else {
        (missed, "not covered")
    };
    let (all, place, are) = (counted(total, "new line"), new.place.of_lines(), are(some));
    if some == total {
        format!("{all}{place} {are} {word}")
    } else {
        format!("{some} of {all}{place} {are} {word}")
    }
}

fn removed(gone: &Sum<'_>) -> String {
    let (covered, total) = (gone.covered.unsigned_abs(), gone.total.unsigned_abs());
    let (place, were) = (
        gone.place.of_lines(),
        if total == 1 { "was" } else { "were" },
    );
    match covered {
        0 => format!("{}{place} {were} removed", counted(total, "uncovered line")),
        _ if covered == total => {
            format!("{}{place} {were} removed", counted(total, "covered line"))
        }
        _ => format!(
            "{}{place} {were} removed, {covered} of them covered",
            counted(total, "line")
        ),
    }
}

/// Lines that run or no longer run; lines that are known to flicker are a separate reason.
fn unchanged_lines(explanation: &Explanation, cause: ChangeCause) -> Vec<Reason> {
    let (sign, change, flickered) = match cause {
        ChangeCause::Lost => (-1, "no longer run", "did not run"),
        _ => (1, "now run", "ran"),
    };
    let is_steady = |group: &ChangeGroup| group.covered.unsigned_abs() > group.flickering;
    let steady = sum(explanation, |group| {
        group.cause == cause && is_steady(group)
    });
    let flickering = sum(explanation, |group| group.cause == cause).flickering;
    let count = steady.covered.abs() - steady.flickering;
    let steady = reason(explanation, (sign * count, 0), |_| {
        let (count, place) = (count.unsigned_abs(), steady.place.of_lines());
        format!(
            "{}{place} {} {change}",
            counted(count, "unchanged line"),
            are(count)
        )
    });
    let flickering = reason(explanation, (sign * flickering, 0), |_| {
        let count = counted(flickering.unsigned_abs(), "line");
        format!("{count} known to flicker {flickered}")
    });
    [steady, flickering].into_iter().flatten().collect()
}

/// Lines that are measured or no longer measured: whole files, and lines of other files.
fn measured_lines(explanation: &Explanation, cause: ChangeCause) -> Vec<Reason> {
    let measured = match cause {
        ChangeCause::Vanished => "no longer measured",
        _ => "now measured",
    };
    let of = |is_whole: bool| {
        sum(explanation, |group| {
            group.cause == cause && group.is_whole_file == is_whole
        })
    };
    let (files, others) = (of(true), of(false));
    let files = reason(explanation, (files.covered, files.total), |_| {
        let files = files.place.with("is", "are");
        format!("{files} {measured}")
    });
    let others = reason(explanation, (others.covered, others.total), |_| {
        let (count, place) = (others.total.unsigned_abs(), others.place.of_lines());
        format!(
            "{}{place} {} {measured}",
            counted(count, "unchanged line"),
            are(count)
        )
    });
    [files, others].into_iter().flatten().collect()
}

/// Files that only the head ignores or that a rename moved out of the view, and files that only the base ignores or that a rename
/// moved into the view.
fn files_of_one_side(explanation: &Explanation) -> Vec<Reason> {
    let reasons = [
        (ChangeCause::Ignored, true, "now ignored"),
        (ChangeCause::Ignored, false, "no longer ignored"),
        (ChangeCause::Moved, true, "renamed, out of the view"),
        (ChangeCause::Moved, false, "renamed, into the view"),
    ]
    .map(|(cause, is_gone, change)| {
        let files = sum(explanation, |group| {
            group.cause == cause && (group.total < 0) == is_gone
        });
        reason(explanation, (files.covered, files.total), |_| {
            format!("{} {change}", files.place.with("is", "are"))
        })
    });
    reasons.into_iter().flatten().collect()
}

fn rest(explanation: &Explanation) -> Vec<Reason> {
    let since = sum(explanation, |group| {
        group.cause == ChangeCause::ChangedSince
    });
    let other = sum(explanation, |group| group.cause == ChangeCause::Other);
    let since = reason(explanation, (since.covered, since.total), |_| {
        format!("{} changed since the base", since.place.with("has", "have"))
    });
    let other = reason(explanation, (other.covered, other.total), |_| {
        "the stated totals differ from the sums of their lines".to_owned()
    });
    [since, other].into_iter().flatten().collect()
}

fn are(count: u64) -> &'static str {
    if count == 1 { "is" } else { "are" }
}
