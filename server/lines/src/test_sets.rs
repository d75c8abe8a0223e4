//! The tests that ran each line: distinct sets of tests, and the set of each line.

mod answers;
mod encoding;
mod sets;

use crate::{
    carried::Moves,
    limits::{Limits, TooLarge},
    line::MAX_LINE,
};
pub use answers::{FileRun, TestRun};
use sets::Sets;
use std::collections::{BTreeMap, HashMap};

/// The tests that ran the lines of source files. Only tests that ran a line are known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestSets {
    /// In ascending order, each once.
    names: Vec<Box<str>>,
    /// The numbers of tests, in ascending order. The sets are distinct, and in the order of the first line that each has.
    sets: Vec<Box<[u32]>>,
    /// The lines of each file in ascending order, with the number of their set.
    files: BTreeMap<Box<str>, Vec<LineSet>>,
}

/// A line, and the number of its set.
type LineSet = (u32, u32);

impl TestSets {
    /// The most tests of a record.
    pub const TESTS: usize = 50_000;

    /// The longest name of a test, in bytes.
    pub const NAME_BYTES: usize = 512;

    /// Creates the sets from pairs of a line and a test, in any order. Tests are numbered by their place in `names`. Pairs with other
    /// numbers, and lines that are not between 1 and [`MAX_LINE`], are left out.
    ///
    /// # Errors
    ///
    /// If the tests exceed the limits.
    pub fn of(
        names: Vec<Box<str>>,
        files: impl IntoIterator<Item = (Box<str>, Vec<(u32, u32)>)>,
        limits: &Limits,
    ) -> Result<Self, TooLarge> {
        let (names, numbers) = distinct(names);
        let mut sets = Sets::default();
        let mut lines_of: BTreeMap<Box<str>, Vec<LineSet>> = BTreeMap::new();
        for (path, pairs) in files {
            let number = |test: u32| numbers.get(test as usize).copied();
            let pairs = pairs
                .into_iter()
                .filter(|(line, _)| (1..=MAX_LINE).contains(line));
            let pairs = pairs.filter_map(|(line, test)| Some((line, number(test)?)));
            let mut pairs: Vec<_> = pairs.collect();
            pairs.sort_unstable();
            pairs.dedup();
            let of_file = pairs
                .chunk_by(|one, other| one.0 == other.0)
                .map(|of_line| {
                    let set = of_line.iter().map(|&(_, test)| test).collect();
                    Ok((of_line[0].0, sets.number(set)?))
                });
            let of_file = of_file.collect::<Result<Vec<_>, _>>()?;
            add(&mut lines_of, path, of_file, &mut sets)?;
        }
        Self::canonical(names, sets, lines_of).within(limits)
    }

    /// The union with another part: a test ran a line if it did in any part.
    ///
    /// # Errors
    ///
    /// If the union exceeds the limits.
    pub fn united(self, other: Self, limits: &Limits) -> Result<Self, TooLarge> {
        let ours = self.names.len();
        let (names, numbers) = distinct(self.names.into_iter().chain(other.names).collect());
        let mut sets = Sets::default();
        for set in self.sets {
            // The names were distinct, so the sets are in the same order.
            sets.number(set)?;
        }
        let theirs = other.sets.into_iter().map(|set| {
            let set = set.iter().map(|&test| numbers[ours + test as usize]);
            sets.number_of_any(set.collect())
        });
        let theirs = theirs.collect::<Result<Vec<_>, _>>()?;
        let mut files = self.files;
        for (path, lines) in other.files {
            let lines = lines.into_iter();
            let lines = lines.map(|(line, set)| (line, theirs[set as usize]));
            add(&mut files, path, lines.collect(), &mut sets)?;
        }
        Self::canonical(names, sets, files).within(limits)
    }

    /// The same tests with other paths of files.
    ///
    /// # Errors
    ///
    /// If the paths are too long.
    pub fn renamed(
        self,
        limits: &Limits,
        mut rename: impl FnMut(Box<str>) -> Box<str>,
    ) -> Result<Self, TooLarge> {
        let mut sets = Sets::of(self.sets)?;
        let (mut files, mut room) = (BTreeMap::new(), limits.path_bytes);
        for (path, lines) in self.files {
            let path = rename(path);
            room = room.checked_sub(path.len()).ok_or(TooLarge)?;
            add(&mut files, path, lines, &mut sets)?;
        }
        Self::canonical(self.names, sets, files).within(limits)
    }

    /// The tests of the lines that no change touches, with their paths and numbers after the changes.
    ///
    /// # Errors
    ///
    /// If the tests exceed the limits.
    pub fn moved(self, moves: &Moves, limits: &Limits) -> Result<Self, TooLarge> {
        let mut sets = Sets::of(self.sets)?;
        let mut files = BTreeMap::new();
        for (path, lines) in self.files {
            if let Some((path, lines)) = moves.of_lines(path, lines) {
                add(&mut files, path, lines, &mut sets)?;
            }
        }
        Self::canonical(self.names, sets, files).within(limits)
    }

    /// The tests of some files.
    #[must_use]
    pub fn of_files(mut self, is_kept: impl Fn(&str) -> bool) -> Self {
        self.files.retain(|path, _| is_kept(path));
        let sets = Sets::of(self.sets).unwrap_or_default();
        Self::canonical(self.names, sets, self.files)
    }

    /// Drops what is not used, and numbers the rest in order.
    fn canonical(
        names: Vec<Box<str>>,
        sets: Sets,
        mut files: BTreeMap<Box<str>, Vec<LineSet>>,
    ) -> Self {
        files.retain(|_, lines| !lines.is_empty());
        let mut used = vec![false; names.len()];
        let mut all: Vec<_> = sets.into_vec().into_iter().map(Some).collect();
        let mut numbers: Vec<Option<u32>> = vec![None; all.len()];
        let mut ordered: Vec<Box<[u32]>> = Vec::new();
        for (_, set) in files.values_mut().flatten() {
            let place = *set as usize;
            if let Some(taken) = all[place].take() {
                taken.iter().for_each(|&test| used[test as usize] = true);
                numbers[place] = u32::try_from(ordered.len()).ok();
                ordered.push(taken);
            }
            *set = numbers[place].unwrap_or_default();
        }
        let mut kept: Vec<_> = (0..)
            .zip(names)
            .filter(|(test, _)| used[*test as usize])
            .collect();
        kept.sort_unstable_by(|(_, one), (_, other)| one.cmp(other));
        let mut new_numbers = vec![0; used.len()];
        for (new, &(old, _)) in (0..).zip(&kept) {
            new_numbers[old as usize] = new;
        }
        for set in &mut ordered {
            set.iter_mut()
                .for_each(|test| *test = new_numbers[*test as usize]);
            set.sort_unstable();
        }
        Self {
            names: kept.into_iter().map(|(_, name)| name).collect(),
            sets: ordered,
            files,
        }
    }

    fn within(self, limits: &Limits) -> Result<Self, TooLarge> {
        let path_bytes: usize = self.files.keys().map(|path| path.len()).sum();
        let lines: usize = self.files.values().map(Vec::len).sum();
        let is_within = self.names.len() <= Self::TESTS
            && self.names.iter().all(|name| name.len() <= Self::NAME_BYTES)
            && self.files.len() <= limits.files
            && path_bytes <= limits.path_bytes
            && lines <= limits.lines;
        is_within.then_some(self).ok_or(TooLarge)
    }
}

/// Each name once, and the number of each of `names` among them.
fn distinct(names: Vec<Box<str>>) -> (Vec<Box<str>>, Vec<u32>) {
    let mut known: HashMap<Box<str>, u32> = HashMap::with_capacity(names.len());
    let (mut distinct, mut numbers) = (Vec::new(), Vec::with_capacity(names.len()));
    for name in names {
        let next = u32::try_from(distinct.len()).unwrap_or(u32::MAX);
        let number = *known.entry(name.clone()).or_insert(next);
        if number == next {
            distinct.push(name);
        }
        numbers.push(number);
    }
    (distinct, numbers)
}

/// Adds lines to a file that may have some of them.
fn add(
    files: &mut BTreeMap<Box<str>, Vec<LineSet>>,
    path: Box<str>,
    lines: Vec<LineSet>,
    sets: &mut Sets,
) -> Result<(), TooLarge> {
    let ours = files.entry(path).or_default();
    if ours.is_empty() {
        *ours = lines;
        return Ok(());
    }
    ours.extend(lines);
    ours.sort_by_key(|&(line, _)| line);
    let mut united: Vec<LineSet> = Vec::with_capacity(ours.len());
    for &(line, set) in ours.iter() {
        match united.last_mut().filter(|(last, _)| *last == line) {
            Some((_, known)) => *known = sets.union_of(*known, set)?,
            None => united.push((line, set)),
        }
    }
    *ours = united;
    Ok(())
}

#[cfg(test)]
mod tests;
