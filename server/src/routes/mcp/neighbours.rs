//! Sorts missed ranges: ranges beside lines that ran come first. A test that reaches the neighbour needs the least to reach them
//! too.

use super::answer::size;
use domain::{LineRange, lines_in_words};
use lines::{FileLines, State};
use std::ops::RangeInclusive;

/// How far a neighbour may be: a line that is not coverable, such as a closing brace, may be between.
const NEAR: u32 = 2;

/// Missed and partial ranges, by their neighbours.
#[derive(Default)]
pub(super) struct Sorted {
    /// Missed ranges beside partial lines, then missed ranges beside fully covered lines.
    beside: Vec<LineRange>,
    /// Other missed ranges.
    missed: Vec<LineRange>,
    partial: Vec<LineRange>,
}

impl Sorted {
    pub(super) fn of(
        file: Option<&FileLines>,
        missed: &[LineRange],
        partial: &[LineRange],
    ) -> Self {
        let neighbour = |range: &LineRange| file.and_then(|file| neighbour(file, *range));
        let (mut partly, mut fully, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for range in missed {
            match neighbour(range) {
                Some(State::Partial) => partly.push(*range),
                Some(State::Hit) => fully.push(*range),
                Some(State::Missed) | None => others.push(*range),
            }
        }
        partly.append(&mut fully);
        Self {
            beside: partly,
            missed: others,
            partial: partial.to_vec(),
        }
    }

    /// Cuts the ranges to some lines.
    pub(super) fn within(mut self, window: &RangeInclusive<u32>) -> Self {
        for ranges in [&mut self.beside, &mut self.missed, &mut self.partial] {
            let cut =
                |(first, last): LineRange| (first.max(*window.start()), last.min(*window.end()));
            *ranges = ranges
                .iter()
                .map(|range| cut(*range))
                .filter(|(first, last)| first <= last)
                .collect();
        }
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.beside.is_empty() && self.missed.is_empty() && self.partial.is_empty()
    }

    /// The ranges as sentences of at most `room` bytes in total; more only if one range of each kind needs more.
    pub(super) fn sentences(&self, room: usize) -> Vec<String> {
        let kinds = [
            ("Missed, beside lines that ran", &self.beside),
            ("Missed", &self.missed),
            ("Partial, a branch did not run", &self.partial),
        ];
        let mut kinds: Vec<_> = kinds
            .into_iter()
            .filter(|(_, ranges)| !ranges.is_empty())
            .collect();
        let (mut sentences, mut room) = (Vec::new(), room);
        kinds.reverse();
        while let Some((label, ranges)) = kinds.pop() {
            let share = room / (kinds.len() + 1);
            let sentence = format!(
                "{label}: {}.",
                listed(ranges, share.saturating_sub(label.len() + 5))
            );
            room = room.saturating_sub(size(&sentence) + 2);
            sentences.push(sentence);
        }
        sentences
    }
}

/// The better state of the lines beside a range.
fn neighbour(file: &FileLines, (first, last): LineRange) -> Option<State> {
    let lines = file.lines();
    let before = lines
        .partition_point(|line| line.number() < first)
        .checked_sub(1);
    let before = before.and_then(|index| lines.get(index));
    let before = before.filter(|line| first - line.number() <= NEAR);
    let after = lines.get(lines.partition_point(|line| line.number() <= last));
    let after = after.filter(|line| line.number() - last <= NEAR);
    let states = [before, after].map(|line| line.map(|line| line.state()));
    // The branch of a partial line that did not run is most likely this one.
    let is_partial = states.contains(&Some(State::Partial));
    if is_partial {
        Some(State::Partial)
    } else {
        states.into_iter().flatten().max()
    }
}

/// Ranges in about `room` bytes, at least one of them, and the number of the others.
fn listed(ranges: &[LineRange], room: usize) -> String {
    let more = |left: usize| format!(" and {left} more");
    let mut text = String::new();
    for (index, range) in ranges.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let range = comma.to_owned() + &lines_in_words(*range);
        let left = ranges.len() - index;
        let reserved = if left == 1 { 0 } else { more(left).len() };
        if index > 0 && text.len() + range.len() + reserved > room {
            return text + &more(left);
        }
        text.push_str(&range);
    }
    text
}
