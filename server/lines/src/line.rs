//! A coverable line of a source file, and its state.

/// The highest number of a line that is kept. No source file is longer; a damaged report may state any number.
pub const MAX_LINE: u32 = 10_000_000;

/// What tests did with a coverable line. A better state is greater. A line that is not coverable has no state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// It did not run.
    Missed,
    /// It ran, and a branch of it was not taken.
    Partial,
    /// It ran, with all its branches.
    Hit,
}

/// A coverable line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    number: u32,
    state: State,
    hits: u8,
}

impl Line {
    /// A line that ran `hits` times. `is_partial` says whether a branch of it was not taken; it is ignored if the line did not run.
    #[must_use]
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

    /// Its number, from 1.
    #[must_use]
    pub fn number(self) -> u32 {
        self.number
    }

    /// Its state.
    #[must_use]
    pub fn state(self) -> State {
        self.state
    }

    /// How often it ran; 255 stands for more too. 0 if and only if it is missed.
    #[must_use]
    pub fn hits(self) -> u8 {
        self.hits
    }

    /// The same line, elsewhere.
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

    /// The same line, which ran: in part, or with all its branches.
    pub(crate) fn ran(self, is_partial: bool) -> Self {
        Self {
            state: match is_partial {
                true => State::Partial,
                false => State::Hit,
            },
            ..self
        }
    }
}
