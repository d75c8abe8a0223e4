//! The kinds of counted things, and counts by kind.

use std::fmt;

use crate::count::Count;

/// The kind of counted things, with the name that the formats use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Counter {
    /// Source lines with code.
    Line,
    /// Statements: Clover, dotCover, scoverage, and what OpenCover and NCover call sequence points.
    Statement,
    /// Bytecode instructions: JaCoCo.
    Instruction,
    /// Blocks of instructions without a jump between them: Visual Studio.
    Block,
    /// Regions of source text: LLVM.
    Region,
    /// Outcomes of a condition: JaCoCo and LCOV call them branches, Clover conditionals.
    Branch,
    /// Functions and methods.
    Function,
    /// Classes and other types.
    Class,
    /// Statements, conditionals and methods together: Clover.
    Element,
    /// Places that a tool counts without naming their kind: Testwell CTC++.
    Probe,
}

impl Counter {
    /// The name in lower case and singular.
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Statement => "statement",
            Self::Instruction => "instruction",
            Self::Block => "block",
            Self::Region => "region",
            Self::Branch => "branch",
            Self::Function => "function",
            Self::Class => "class",
            Self::Element => "element",
            Self::Probe => "probe",
        }
    }

    /// The counter with this plural, as JSON formats name counts. Other counts have no counter.
    pub(crate) fn of_plural(name: &str) -> Option<Self> {
        match name {
            "lines" => Some(Self::Line),
            "statements" => Some(Self::Statement),
            "regions" => Some(Self::Region),
            "branches" => Some(Self::Branch),
            "functions" | "methods" => Some(Self::Function),
            _ => None,
        }
    }
}

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Counts, at most one of each counter.
///
/// The counts of a [`Report`](crate::Report) and its files have a total of at least one. Most tools do not distinguish a
/// format without branches, a run that did not measure them, and a program that has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counters(Vec<(Counter, Count)>);

impl Counters {
    /// The count of one counter, if it is known.
    pub fn get(&self, counter: Counter) -> Option<Count> {
        let found = self.0.iter().find(|(of, _)| *of == counter);
        found.map(|(_, count)| *count)
    }

    /// All known counts, in the order of [`Counter`].
    pub fn iter(&self) -> impl Iterator<Item = (Counter, Count)> {
        self.0.iter().copied()
    }

    /// Adds a count to a counter. Ignores `None`.
    pub(crate) fn add(&mut self, counter: Counter, count: impl Into<Option<Count>>) {
        let Some(count) = count.into() else { return };
        match self.0.binary_search_by_key(&counter, |(of, _)| *of) {
            Ok(at) => self.0[at].1 = self.0[at].1.plus(count),
            Err(at) => self.0.insert(at, (counter, count)),
        }
    }

    /// The bytes of memory in use, in addition to the value itself.
    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<(Counter, Count)>()
    }

    /// Keeps only counts with a total over 0.
    pub(crate) fn non_empty(mut self) -> Self {
        self.0.retain(|(_, count)| count.total() > 0);
        self.0.shrink_to_fit();
        self
    }

    pub(crate) fn add_all(&mut self, other: &Self) {
        for (counter, count) in other.iter() {
            self.add(counter, count);
        }
    }

    /// Keeps the greater numbers of each counter, for a file that a report contains twice.
    pub fn unite(&mut self, other: &Self) {
        for (counter, count) in other.iter() {
            let greater = self.get(counter).map_or(count, |ours| ours.greater(count));
            self.set(counter, greater);
        }
    }

    /// Replaces the count of a counter.
    pub fn set(&mut self, counter: Counter, count: Count) {
        self.0.retain(|(of, _)| *of != counter);
        self.add(counter, count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_one_counter_add_up_and_stay_in_order() {
        let mut counters = Counters::default();
        counters.add(Counter::Branch, Count::new(1, 2));
        counters.add(Counter::Line, Count::new(3, 4));
        counters.add(Counter::Branch, Count::new(1, 1));
        counters.add(Counter::Function, None);
        let all: Vec<_> = counters.iter().collect();
        let count = |covered, total| Count::new(covered, total).expect("a count");
        assert_eq!(
            all,
            [(Counter::Line, count(3, 4)), (Counter::Branch, count(2, 3))]
        );
        assert_eq!(counters.get(Counter::Function), None);
    }

    #[test]
    fn united_counts_are_the_greater_ones() {
        let mut counters = Counters::default();
        counters.add(Counter::Line, Count::new(1, 4));
        let mut other = Counters::default();
        other.add(Counter::Line, Count::new(2, 3));
        other.add(Counter::Branch, Count::new(1, 2));
        counters.unite(&other);
        assert_eq!(counters.get(Counter::Line), Count::new(2, 4));
        assert_eq!(counters.get(Counter::Branch), Count::new(1, 2));
    }
}
