//! The difference between the lines of one file in two records.

use super::{Cause, Effect, LineGroup, Way, absence::FileByPart, pairs::Pair};
use crate::{
    changes::{Hunk, Span},
    counts::Counts,
    file::FileLines,
    line::{Line, State},
    ranges,
};
use std::{cmp::Ordering, ops::RangeInclusive};

#[derive(Default)]
pub(super) struct FileDifference<'a> {
    added: Effect,
    removed: Effect,
    gained: Effect,
    lost_effect: Effect,
    appeared: Effect,
    vanished: Effect,
    changed_since: Effect,
    absent: Vec<(&'a str, Effect)>,
    gained_by_flicker: u64,
    lost_by_flicker: u64,
    /// Lost lines that are not known to flicker.
    pub(super) lost: Vec<RangeInclusive<u32>>,
}

/// What is known about the lines of a file, in addition to their states.
struct Known<'a> {
    parts: FileByPart<'a>,
    /// Whether the file was deleted, or renamed to a file that is not measured.
    is_gone: bool,
    /// The numbers of lines that flicker, in ascending order.
    flicker: &'a [u32],
}

impl<'a> FileDifference<'a> {
    pub(super) fn of(pair: &Pair<'a>, way: Way<'a>) -> Self {
        let known = Known {
            parts: way
                .absent
                .map(|parts| parts.file(pair.old_path))
                .unwrap_or_default(),
            is_gone: pair.head.is_none() && pair.is_gone(),
            flicker: match way.flicker.zip(pair.head) {
                Some((flicker, head)) => flicker.lines(pair.path, head),
                None => &[],
            },
        };
        let mut difference = Self::default();
        let nothing = FileLines::default();
        let (base, head) = (pair.base.unwrap_or(&nothing), pair.head.unwrap_or(&nothing));
        let fits = way.is_exact && !pair.is_stale && !pair.hides_lines();
        let is_binary = pair.change.is_some_and(|change| change.is_binary);
        if fits && (pair.is_copy || is_binary || pair.is_deleted()) {
            difference.added = counts(head.counts(), 1);
            difference.removed = counts(base.counts(), -1);
        } else if fits {
            difference.walk(base, head, hunks(pair), &known);
        } else if pair.change.is_some() || (is_in_both(pair) && !base.has_lines_of(head)) {
            difference.changed_since = counts(head.counts(), 1);
            difference.changed_since += counts(base.counts(), -1);
        } else {
            difference.unchanged(base.lines(), head.lines(), 0, &known);
        }
        difference
    }

    /// Returns the groups with an effect. Gained and lost lines are separate groups, even if their effects cancel out.
    pub(super) fn groups(&self, path: &'a str) -> impl Iterator<Item = LineGroup<'a>> {
        let causes = [
            (Cause::Added, self.added, 0),
            (Cause::Removed, self.removed, 0),
            (Cause::Gained, self.gained, self.gained_by_flicker),
            (Cause::Lost, self.lost_effect, self.lost_by_flicker),
            (Cause::Appeared, self.appeared, 0),
            (Cause::Vanished, self.vanished, 0),
            (Cause::ChangedSince, self.changed_since, 0),
        ];
        let causes = causes
            .into_iter()
            .map(|(cause, effect, flickering)| (cause, None, effect, flickering));
        let absent = self.absent.iter();
        let absent = absent.map(|&(part, effect)| (Cause::PartAbsent, Some(part), effect, 0));
        let groups: Vec<_> = causes.chain(absent).collect();
        groups
            .into_iter()
            .filter(|(_, _, effect, _)| *effect != Effect::default())
            .map(move |(cause, part, effect, flickering)| LineGroup {
                cause,
                path,
                part,
                effect,
                flickering,
            })
    }

    /// Compares the lines of both trees. The hunks separate unchanged, removed and added lines.
    fn walk(&mut self, base: &FileLines, head: &FileLines, hunks: &[Hunk], known: &Known<'a>) {
        let (mut old, mut new) = (1, 1);
        for hunk in hunks {
            let unchanged = (
                base.between(old, hunk.old.first),
                head.between(new, hunk.new.first),
            );
            self.unchanged(unchanged.0, unchanged.1, shift(old, new), known);
            self.removed += counts(of(base, hunk.old), -1);
            self.added += counts(of(head, hunk.new), 1);
            (old, new) = (hunk.old.end(), hunk.new.end());
        }
        let rest = (base.between(old, u32::MAX), head.between(new, u32::MAX));
        self.unchanged(rest.0, rest.1, shift(old, new), known);
    }

    /// Compares unchanged lines. Their numbers at the head are their numbers at the base plus `shift`.
    fn unchanged(&mut self, base: &[Line], head: &[Line], shift: i64, known: &Known<'a>) {
        let (mut base, mut head) = (base.iter().peekable(), head.iter().peekable());
        loop {
            let order = match (base.peek(), head.peek()) {
                (Some(old), Some(new)) => {
                    (i64::from(old.number()) + shift).cmp(&i64::from(new.number()))
                }
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return,
            };
            let old = if order.is_le() { base.next() } else { None };
            let new = if order.is_ge() { head.next() } else { None };
            match (old, new) {
                (Some(old), Some(new)) if is_covered(*old) == is_covered(*new) => {}
                (Some(old), Some(new)) if is_covered(*old) => self.lost(*old, *new, known),
                (Some(_), Some(new)) => {
                    self.gained.covered += 1;
                    self.gained_by_flicker += u64::from(known.flickers(*new));
                }
                (Some(old), None) => {
                    let effect = line(*old, -1);
                    match known.parts.measured(*old) {
                        Some(part) => self.of_part(part, effect),
                        None => {
                            self.vanished += effect;
                            self.lost_unmeasured(*old, shift, known);
                        }
                    }
                }
                (None, Some(new)) => self.appeared += line(*new, 1),
                (None, None) => {}
            }
        }
    }

    fn lost(&mut self, old: Line, new: Line, known: &Known<'a>) {
        let effect = Effect {
            covered: -1,
            coverable: 0,
        };
        if let Some(part) = known.parts.ran(old) {
            self.of_part(part, effect);
            return;
        }
        self.lost_effect += effect;
        if known.flickers(new) {
            self.lost_by_flicker += 1;
        } else {
            ranges::add(&mut self.lost, new.number());
        }
    }

    /// Notes that a line is no longer measured. If it ran, it is lost, like a measured line that no longer runs.
    fn lost_unmeasured(&mut self, old: Line, shift: i64, known: &Known<'a>) {
        let number = u32::try_from(i64::from(old.number()) + shift);
        if let (Ok(number), true, false) = (number, is_covered(old), known.is_gone) {
            ranges::add(&mut self.lost, number);
        }
    }

    fn of_part(&mut self, part: &'a str, effect: Effect) {
        match self.absent.iter_mut().find(|(name, _)| *name == part) {
            Some((_, sum)) => *sum += effect,
            None => self.absent.push((part, effect)),
        }
    }
}

impl Known<'_> {
    fn flickers(&self, line: Line) -> bool {
        self.flicker.binary_search(&line.number()).is_ok()
    }
}

fn hunks<'a>(pair: &Pair<'a>) -> &'a [Hunk] {
    pair.change.map_or(&[], |change| &change.hunks)
}

fn is_in_both(pair: &Pair<'_>) -> bool {
    pair.base.is_some() && pair.head.is_some()
}

fn is_covered(line: Line) -> bool {
    line.state() > State::Missed
}

fn shift(old: u32, new: u32) -> i64 {
    i64::from(new) - i64::from(old)
}

fn of(file: &FileLines, span: Span) -> Counts {
    let mut counts = Counts::default();
    for line in file.between(span.first, span.end()) {
        counts.add_line(line.state());
    }
    counts
}

fn line(line: Line, sign: i64) -> Effect {
    Effect {
        covered: sign * i64::from(is_covered(line)),
        coverable: sign,
    }
}

/// Returns the effect of new lines (`sign` 1) or removed lines (−1).
fn counts(counts: Counts, sign: i64) -> Effect {
    let number = |lines: u64| i64::try_from(lines).unwrap_or(i64::MAX);
    Effect {
        covered: sign * number(counts.covered()),
        coverable: sign * number(counts.coverable()),
    }
}
