//! Unusual but legal spellings of the same report. For each, there is a tool that writes it.

use super::random::Random;

/// An unusual spelling. Each is a bit, so that a failing test can find the one that matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oddity {
    /// Attributes, or members of a JSON object, in another order.
    Order,
    /// `'` around values.
    Quotes,
    /// White space where it is allowed, and none where it is not required.
    Space,
    /// Comments, processing instructions and CDATA between elements.
    Between,
    /// Unknown elements, attributes and members.
    Unknown,
    /// A namespace prefix on every element.
    Prefix,
    /// Characters written as references or escapes.
    References,
    /// `<a></a>` instead of `<a/>`.
    Pairs,
    /// No XML declaration.
    Undeclared,
    /// A long DOCTYPE with comments.
    Doctype,
    /// Line ends as on Windows.
    CrLf,
    ByteOrderMark,
    /// UTF-16 instead of UTF-8.
    Utf16,
    /// Files that appear twice.
    Repeats,
    /// No totals of the whole report, if the format allows this.
    Unstated,
    /// Values and comments of some KiB.
    Long,
}

/// The unusual spellings of a report, and their places.
#[derive(Debug, Clone)]
pub struct Odd {
    bits: u16,
    random: Random,
}

impl Odd {
    /// No unusual spelling: the report as its tool writes it.
    pub fn none() -> Self {
        Self::new(0, 0)
    }

    /// All spellings, in places that depend on `seed`.
    pub fn all(seed: u64) -> Self {
        Self::new(u16::MAX, seed)
    }

    /// One spelling.
    pub fn only(oddity: Oddity) -> Self {
        Self::new(1 << oddity as u16, 0)
    }

    /// The spellings whose bits are set.
    pub fn new(bits: u16, seed: u64) -> Self {
        let random = Random::new(seed);
        Self { bits, random }
    }

    /// Removes one spelling.
    pub fn without(mut self, oddity: Oddity) -> Self {
        self.bits &= !(1 << oddity as u16);
        self
    }

    /// Whether the report has the spelling anywhere.
    pub fn has(&self, oddity: Oddity) -> bool {
        self.bits & (1 << oddity as u16) != 0
    }

    /// Whether to use the spelling here: in one of `cases` places on average.
    pub fn here(&mut self, oddity: Oddity, cases: u64) -> bool {
        self.has(oddity) && self.random.one_in(cases)
    }

    /// Whether to write this character as a reference or escape. The answer is the same throughout a report.
    pub fn refers_to(&self, char: char) -> bool {
        self.has(Oddity::References) && u32::from(char) % 9 == u32::from(self.bits) % 9
    }

    pub fn random(&mut self) -> &mut Random {
        &mut self.random
    }
}
