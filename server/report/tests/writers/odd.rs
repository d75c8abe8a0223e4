//! Ways to write the same report that are legal, and that some tool has.

use super::random::Random;

/// One of these ways. Each is a bit, so that a test that fails finds the one that matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oddity {
    /// Attributes, or members of a JSON object, in another order.
    Order,
    /// `'` around values.
    Quotes,
    /// White space where some may be, and none where none has to be.
    Space,
    /// Comments, processing instructions and CDATA between elements.
    Between,
    /// Elements, attributes and members that no reader knows.
    Unknown,
    /// A namespace prefix on every element.
    Prefix,
    /// Characters written as references or escapes.
    References,
    /// `<a></a>` for `<a/>`.
    Pairs,
    /// No XML declaration.
    Undeclared,
    /// A DOCTYPE, long and with comments in it.
    Doctype,
    /// Line ends of Windows.
    CrLf,
    ByteOrderMark,
    /// UTF-16 in place of UTF-8.
    Utf16,
    /// Files that come twice.
    Repeats,
    /// Nothing stated for the whole, where a format can do without.
    Unstated,
    /// Values and comments of some KiB.
    Long,
}

/// Which of them a report has, and where.
#[derive(Debug, Clone)]
pub struct Odd {
    bits: u16,
    random: Random,
}

impl Odd {
    /// A report as its tool writes it.
    pub fn none() -> Self {
        Self::new(0, 0)
    }

    /// All of them, wherever `seed` puts them.
    pub fn all(seed: u64) -> Self {
        Self::new(u16::MAX, seed)
    }

    /// One of them.
    pub fn only(oddity: Oddity) -> Self {
        Self::new(1 << oddity as u16, 0)
    }

    /// Those whose bits are set.
    pub fn new(bits: u16, seed: u64) -> Self {
        let random = Random::new(seed);
        Self { bits, random }
    }

    /// Without one of them.
    pub fn without(mut self, oddity: Oddity) -> Self {
        self.bits &= !(1 << oddity as u16);
        self
    }

    /// Whether the report has it at all.
    pub fn has(&self, oddity: Oddity) -> bool {
        self.bits & (1 << oddity as u16) != 0
    }

    /// Whether it has it here: in one of so many places.
    pub fn here(&mut self, oddity: Oddity, cases: u64) -> bool {
        self.has(oddity) && self.random.one_in(cases)
    }

    /// Whether this character is written as a reference or escape, which is so wherever it stands.
    pub fn refers_to(&self, char: char) -> bool {
        self.has(Oddity::References) && u32::from(char) % 9 == u32::from(self.bits) % 9
    }

    pub fn random(&mut self) -> &mut Random {
        &mut self.random
    }
}
