//! A coverable line of a source file, and its state.

use std::ops::RangeInclusive;

/// The highest line number that is kept. No source file is longer, but a damaged report may state any number.
pub const MAX_LINE: u32 = 10_000_000;

/// What tests did with a coverable line. A better state is greater. A line that is not coverable has no state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// The line did not run.
    Missed,
    /// The line ran, but not all its branches were taken.
    Partial,
    /// The line ran, with all its branches.
    Hit,
}

/// Adds a line after all others to ranges of lines with both ends: to the last range, or as a new range.
pub(crate) fn add_to_ranges(ranges: &mut Vec<RangeInclusive<u32>>, line: u32) {
    match ranges.last_mut() {
        Some(last) if *last.end() + 1 == line => *last = *last.start()..=line,
        _ => ranges.push(line..=line),
    }
}

/// A coverable line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    number: u32,
    state: State,
    hits: u8,
}

impl Line {
    /// Creates a line that ran `hits` times. `is_partial`: a branch was not taken; ignored if the line did not run.
    pub fn new(number: u32, hits: u64, is_partial: bool) -> Self {
        let state = match hits {
            0 => State::Missed,
            _ if is_partial => State::Partial,
            _ => State::Hit,
        };
        let hits = u8::try_from(hits).unwrap_or(u8::MAX);
        Self {
            number,
            state,
            hits,
        }
    }

    /// The number of the line, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// The state of the line.
    pub fn state(self) -> State {
        self.state
    }

    /// How often the line ran; 255 also means more. 0 if and only if the line is missed.
    pub fn hits(self) -> u8 {
        self.hits
    }

    /// The same line under another number.
    pub(crate) fn at(self, number: u32) -> Self {
        Self { number, ..self }
    }

    /// The same line, with the better state and the greater number of hits.
    pub(crate) fn joined(self, other: Self) -> Self {
        Self {
            number: self.number,
            state: self.state.max(other.state),
            hits: self.hits.max(other.hits),
        }
    }

    pub(crate) fn ran(self) -> bool {
        self.state > State::Missed
    }

    /// The same line with the state partial or hit.
    pub(crate) fn covered(self, is_partial: bool) -> Self {
        Self {
            state: match is_partial {
                true => State::Partial,
                false => State::Hit,
            },
            ..self
        }
    }
}
