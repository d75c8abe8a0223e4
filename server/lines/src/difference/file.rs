//! The difference between the lines of one file in two records.

use super::{Cause, Effect, LineGroup, Way, absence::FileByPart};
use crate::{
    changes::Hunk,
    counts::Counts,
    file::FileLines,
    line::{Line, State, add_to_ranges},
    pairs::Pair,
};
use std::ops::RangeInclusive;

#[derive(Default)]
pub(super) struct FileDifference<'a> {
    path: &'a str,
    /// The groups with an effect, for each cause and absent part. Gained and lost lines are separate groups, even if their
    /// effects cancel out.
    pub(super) groups: Vec<LineGroup<'a>>,
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
    /// Whether groups name their lines.
    names_lines: bool,
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
            names_lines: way.names_lines,
        };
        let mut difference = Self {
            path: pair.path,
            ..Self::default()
        };
        let nothing = FileLines::default();
        let (base, head) = (pair.base.unwrap_or(&nothing), pair.head.unwrap_or(&nothing));
        let fits = way.is_exact && !pair.is_stale && !pair.hides_lines();
        let is_in_both = pair.base.is_some() && pair.head.is_some();
        let is_binary = pair.change.is_some_and(|change| change.is_binary);
        if fits && (pair.is_copy || is_binary || pair.is_deleted()) {
            difference.added(head.lines(), &known);
            difference.add(Cause::Removed, effect(base.lines(), -1));
        } else if fits {
            let hunks = pair.change.map_or(&[][..], |change| &change.hunks);
            difference.walk(base, head, hunks, &known);
        } else if pair.change.is_some() || (is_in_both && !base.has_lines_of(head)) {
            difference.add(Cause::ChangedSince, effect(head.lines(), 1));
            difference.add(Cause::ChangedSince, effect(base.lines(), -1));
        } else {
            difference.unchanged(base.lines(), head.lines(), 0, &known);
        }
        let groups = &mut difference.groups;
        groups.retain(|group| group.effect != Effect::default());
        groups.sort_by_key(|group| group.cause);
        difference
    }

    /// The whole file, which only one of the two records ignores.
    pub(super) fn ignored(pair: &Pair<'a>) -> Self {
        let mut difference = Self {
            path: pair.path,
            ..Self::default()
        };
        for (file, sign) in [(pair.base, -1), (pair.head, 1)] {
            let lines = file.map_or(&[][..], FileLines::lines);
            difference.add(Cause::Ignored, effect(lines, sign));
        }
        difference
            .groups
            .retain(|group| group.effect != Effect::default());
        difference
    }

    fn add(&mut self, cause: Cause, effect: Effect) {
        self.group(cause, None).effect += effect;
    }

    /// Adds new lines.
    fn added(&mut self, new: &[Line], known: &Known<'a>) {
        let group = self.group(Cause::Added, None);
        group.effect += effect(new, 1);
        if known.names_lines {
            let missed = new.iter().filter(|line| !line.ran());
            missed.for_each(|line| add_to_ranges(&mut group.lines, line.number()));
        }
    }

    /// The group of a cause, and of the absent part, if it is the cause.
    fn group(&mut self, cause: Cause, part: Option<&'a str>) -> &mut LineGroup<'a> {
        let mut known = self.groups.iter();
        let known = known.position(|group| group.cause == cause && group.part == part);
        let index = known.unwrap_or_else(|| {
            self.groups.push(LineGroup {
                cause,
                path: self.path,
                part,
                effect: Effect::default(),
                flickering: 0,
                lines: Vec::new(),
            });
            self.groups.len() - 1
        });
        &mut self.groups[index]
    }

    /// Compares the lines of both trees. The hunks separate unchanged, removed and added lines.
    fn walk(&mut self, base: &FileLines, head: &FileLines, hunks: &[Hunk], known: &Known<'a>) {
        let (mut old, mut new) = (1, 1);
        for hunk in hunks {
            self.unchanged(
                base.between(old, hunk.old.first),
                head.between(new, hunk.new.first),
                shift(old, new),
                known,
            );
            let removed = base.between(hunk.old.first, hunk.old.end());
            let added = head.between(hunk.new.first, hunk.new.end());
            self.add(Cause::Removed, effect(removed, -1));
            self.added(added, known);
            (old, new) = (hunk.old.end(), hunk.new.end());
        }
        let rest = (base.between(old, u32::MAX), head.between(new, u32::MAX));
        self.unchanged(rest.0, rest.1, shift(old, new), known);
    }

    /// Compares unchanged lines. Their numbers at the head are their numbers at the base plus `shift`.
    fn unchanged(&mut self, mut base: &[Line], mut head: &[Line], shift: i64, known: &Known<'a>) {
        let number = |old: &Line| i64::from(old.number()) + shift;
        let (mut gained, mut lost) = (Switched::default(), Switched::default());
        loop {
            // Two passes over the lines that both have take fewer instructions than a merge line by line.
            let pairs = base.iter().zip(head);
            let pairs = pairs.take_while(|(old, new)| number(old) == i64::from(new.number()));
            let in_both = pairs.count();
            let (old, new);
            (old, base) = base.split_at(in_both);
            (new, head) = head.split_at(in_both);
            for (old, new) in old.iter().zip(new) {
                if old.ran() == new.ran() {
                    continue;
                }
                if new.ran() {
                    gained.add(*new, known);
                } else if let Some(part) = known.parts.only_part(*old, State::Partial) {
                    self.group(Cause::PartAbsent, Some(part)).effect.covered -= 1;
                } else {
                    let flickers = lost.add(*new, known);
                    if !flickers {
                        add_to_ranges(&mut self.lost, new.number());
                    }
                }
            }
            match (base.first(), head.first()) {
                (Some(old), new) if new.is_none_or(|new| number(old) < i64::from(new.number())) => {
                    base = &base[1..];
                    self.vanished(*old, shift, known);
                }
                (_, Some(new)) => {
                    head = &head[1..];
                    self.add(Cause::Appeared, of_line(*new, 1));
                }
                (_, None) => break,
            }
        }
        for (cause, lines, sign) in [(Cause::Gained, gained, 1), (Cause::Lost, lost, -1)] {
            if lines.count > 0 {
                let group = self.group(cause, None);
                group.effect.covered += sign * lines.count;
                group.flickering += lines.flickering;
                group.lines.extend(lines.ranges);
            }
        }
    }

    fn vanished(&mut self, old: Line, shift: i64, known: &Known<'a>) {
        let effect = of_line(old, -1);
        match known.parts.only_part(old, State::Missed) {
            Some(part) => self.group(Cause::PartAbsent, Some(part)).effect += effect,
            None => {
                self.add(Cause::Vanished, effect);
                self.lost_unmeasured(old, shift, known);
            }
        }
    }

    /// Notes that a line is no longer measured. If it ran, it is lost, like a measured line that no longer runs.
    fn lost_unmeasured(&mut self, old: Line, shift: i64, known: &Known<'a>) {
        let number = u32::try_from(i64::from(old.number()) + shift);
        if let (Ok(number), true, false) = (number, old.ran(), known.is_gone) {
            add_to_ranges(&mut self.lost, number);
        }
    }
}

/// Lines that ran in only one of the two records.
#[derive(Default)]
struct Switched {
    count: i64,
    flickering: u64,
    ranges: Vec<RangeInclusive<u32>>,
}

impl Switched {
    /// Adds a line, and returns whether it flickers.
    fn add(&mut self, new: Line, known: &Known<'_>) -> bool {
        let flickers = known.flickers(new);
        self.count += 1;
        self.flickering += u64::from(flickers);
        if known.names_lines {
            add_to_ranges(&mut self.ranges, new.number());
        }
        flickers
    }
}

impl Known<'_> {
    fn flickers(&self, line: Line) -> bool {
        self.flicker.binary_search(&line.number()).is_ok()
    }
}

fn shift(old: u32, new: u32) -> i64 {
    i64::from(new) - i64::from(old)
}

/// Returns the effect of a new line (`sign` 1) or a removed line (−1).
fn of_line(line: Line, sign: i64) -> Effect {
    Effect {
        covered: sign * i64::from(line.ran()),
        coverable: sign,
    }
}

/// Returns the effect of new lines (`sign` 1) or removed lines (−1).
fn effect(lines: &[Line], sign: i64) -> Effect {
    let counts = Counts::of(lines);
    let number = |lines: u64| i64::try_from(lines).unwrap_or(i64::MAX);
    Effect {
        covered: sign * number(counts.covered()),
        coverable: sign * number(counts.coverable()),
    }
}
