//! The sentences that say why a rule of a gate is broken, with the places of the lines.

use super::{LostCount, PartialLines, PlacedRange};
use crate::{Count, line_range::length, lines_in_words, text::counted};

/// The most ranges of lines that a sentence names.
const NAMED: usize = 4;

pub(super) fn few_changed(coverable: u64, least: u64) -> String {
    let lines = counted(coverable, "changed line");
    format!("the rule needs {least}, and {lines} can be covered")
}

pub(super) fn changed(
    count: Count,
    percent: u8,
    partial: PartialLines,
    missed: &[PlacedRange],
) -> String {
    let covered = match partial {
        PartialLines::Hit => "covered",
        PartialLines::Miss => "fully covered",
    };
    let of = of(count);
    let needed = needed(count.total, percent);
    let places = places(missed, count.uncovered(), &[]);
    format!("{of} changed lines are {covered}, {percent} % needs {needed}{places}")
}

pub(super) fn lost(lost: &LostCount, most: u64) -> String {
    let is = |lines| if lines == 1 { "is" } else { "are" };
    let places = places(&lost.first, lost.lines, &lost.unmeasured);
    format!(
        "{} {} no longer run, {most} {} allowed{places}",
        counted(lost.lines, "unchanged line"),
        is(lost.lines),
        is(most),
    )
}

/// `base` is the count of the base record, if it is below the floor too.
pub(super) fn floor(total: Count, percent: u8, what: &str, base: Option<Count>) -> String {
    let needed = needed(total.total, percent);
    let base = base.map(|base| format!("; the base failed too, with {}", of(base)));
    format!(
        "{} {what} are covered, {percent} % needs {needed}{}",
        of(total),
        base.unwrap_or_default()
    )
}

fn of(count: Count) -> String {
    format!("{} of {}", count.covered, count.total)
}

/// How many of `all` lines must be covered to reach a percentage.
fn needed(all: u64, percent: u8) -> u128 {
    (u128::from(all) * u128::from(percent)).div_ceil(100)
}

/// The first lines, after a colon, such as `: src/tax.rs 41–46, 50; src/vat.rs 7, and more`. A file that is no longer measured is
/// marked.
fn places(ranges: &[PlacedRange], all: u64, unmeasured: &[String]) -> String {
    let mut text = String::new();
    let (mut of, mut named) = (None, 0_u64);
    for (path, range) in ranges.iter().take(NAMED) {
        named += length(*range);
        if of == Some(path) {
            text += ", ";
        } else {
            text += if of.is_none() { ": " } else { "; " };
            text.extend(path.chars().map(printable));
            if unmeasured.contains(path) {
                text += " (no longer measured)";
            }
            text.push(' ');
            of = Some(path);
        }
        text += &lines_in_words(*range);
    }
    if of.is_some() && named < all {
        text += ", and more";
    }
    text
}

/// A path may hold any character; a sentence is one line.
fn printable(character: char) -> char {
    if character.is_control() {
        char::REPLACEMENT_CHARACTER
    } else {
        character
    }
}
