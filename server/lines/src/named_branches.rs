//! The branches of a part that names all of them: which of them were taken, so that the branches of several parts can be united.

mod encoding;

use crate::{
    branches::Branches,
    carried::Moves,
    limits::{Limits, TooLarge},
    line::MAX_LINE,
};
use std::collections::BTreeMap;

/// A branch as one number: its line, then its name, then a bit that says whether it was taken.
type Row = u64;

const NAME_BITS: u32 = 32;

/// The branches of source files, by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedBranches {
    /// The rows of a file, in ascending order, each branch once.
    files: BTreeMap<Box<str>, Vec<Row>>,
}

/// The numbers of taken branches and of all branches.
pub type BranchCount = (u64, u64);

impl NamedBranches {
    /// Adds the branches of a file, each with its line, its name and whether it was taken. `None` if a line is not between 1 and
    /// [`MAX_LINE`], or if the file was added before and its branches have other [kinds of names](Branches::SCHEME_BITS).
    #[must_use]
    pub fn with(
        mut self,
        path: impl Into<Box<str>>,
        branches: impl IntoIterator<Item = (u32, u32, bool)>,
    ) -> Option<Self> {
        let rows = branches.into_iter().map(|(line, name, is_taken)| {
            let row = u64::from(line) << NAME_BITS | u64::from(name);
            (1..=MAX_LINE)
                .contains(&line)
                .then_some(row << 1 | u64::from(is_taken))
        });
        let rows: Vec<Row> = rows.collect::<Option<_>>()?;
        self.add(path.into(), distinct(rows))?;
        Some(self)
    }

    fn add(&mut self, path: Box<str>, rows: Vec<Row>) -> Option<()> {
        if rows.is_empty() {
            return Some(());
        }
        let ours = self.files.entry(path).or_default();
        if !have_same_schemes(ours, &rows) {
            return None;
        }
        ours.extend(rows);
        *ours = distinct(std::mem::take(ours));
        Some(())
    }

    /// The union with another part: a branch was taken if any part took it. `None` if the parts name the branches of a line in
    /// different ways, or if the union exceeds the limits.
    #[must_use]
    pub fn united(mut self, other: Self, limits: &Limits) -> Option<Self> {
        for (path, rows) in other.files {
            self.add(path, rows)?;
        }
        self.within(limits).ok()?;
        Some(self)
    }

    /// The same branches under other paths. `None` as in [`Self::united`].
    #[must_use]
    pub fn renamed(
        self,
        limits: &Limits,
        mut rename: impl FnMut(Box<str>) -> Box<str>,
    ) -> Option<Self> {
        let (mut renamed, mut room) = (Self::default(), limits.path_bytes);
        for (path, rows) in self.files {
            let path = rename(path);
            room = room.checked_sub(path.len())?;
            renamed.add(path, rows)?;
        }
        Some(renamed)
    }

    /// The branches after changes. `None` if the lines of a file with branches changed: names contain the numbers of lines or of
    /// conditions, which may be others now.
    #[must_use]
    pub fn moved(self, moves: &Moves) -> Option<Self> {
        let mut moved = Self::default();
        for (path, rows) in self.files {
            match moves.of_whole_file(&path) {
                Ok(Some(to)) => moved.add(to.into(), rows)?,
                // Its lines are unknown, so they are not carried either.
                Ok(None) => {}
                Err(()) => return None,
            }
        }
        Some(moved)
    }

    /// The paths of the files that have branches.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(AsRef::as_ref)
    }

    /// The branches of some files.
    #[must_use]
    pub fn of_files(mut self, is_kept: impl Fn(&str) -> bool) -> Self {
        self.files.retain(|path, _| is_kept(path));
        self
    }

    /// The number of branches in all files.
    #[must_use]
    pub fn count(&self) -> BranchCount {
        let files = self.files.values().map(|rows| count(rows));
        files.fold((0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1))
    }

    /// The number of branches of a file.
    #[must_use]
    pub fn count_of(&self, path: &str) -> BranchCount {
        self.files.get(path).map_or((0, 0), |rows| count(rows))
    }

    fn within(&self, limits: &Limits) -> Result<(), TooLarge> {
        let path_bytes: usize = self.files.keys().map(|path| path.len()).sum();
        let branches: usize = self.files.values().map(Vec::len).sum();
        let is_within = self.files.len() <= limits.files
            && path_bytes <= limits.path_bytes
            && branches <= limits.lines;
        is_within.then_some(()).ok_or(TooLarge)
    }
}

fn count(rows: &[Row]) -> BranchCount {
    let taken = rows.iter().filter(|row| is_taken(**row)).count();
    (taken as u64, rows.len() as u64)
}

/// Sorts rows. A branch was taken if any repetition of it was.
fn distinct(mut rows: Vec<Row>) -> Vec<Row> {
    // Two sorted halves are merged.
    rows.sort();
    rows.dedup_by(|row, before| {
        let is_same = *row >> 1 == *before >> 1;
        if is_same {
            *before = *row;
        }
        is_same
    });
    rows
}

/// Whether names have the same schemes in each line that both have: names of different schemes are not comparable.
fn have_same_schemes(ours: &[Row], theirs: &[Row]) -> bool {
    let is_same_line = |one: &Row, other: &Row| line(*one) == line(*other);
    let mut theirs = theirs.chunk_by(is_same_line).peekable();
    ours.chunk_by(is_same_line).all(|of_line| {
        let number = line(of_line[0]);
        while theirs.next_if(|other| line(other[0]) < number).is_some() {}
        let other = theirs.next_if(|other| line(other[0]) == number);
        other.is_none_or(|other| schemes(other) == schemes(of_line))
    })
}

/// A bit for each scheme of the names.
fn schemes(rows: &[Row]) -> u16 {
    const SCHEME: u32 = (1 << Branches::SCHEME_BITS) - 1;
    let bits = rows.iter().map(|row| 1 << (name(*row) & SCHEME));
    bits.fold(0, |all, bit| all | bit)
}

fn line(row: Row) -> u32 {
    // At most MAX_LINE.
    u32::try_from(row >> (NAME_BITS + 1)).unwrap_or(u32::MAX)
}

fn name(row: Row) -> u32 {
    (row >> 1 & u64::from(u32::MAX)) as u32
}

fn is_taken(row: Row) -> bool {
    row & 1 == 1
}

#[cfg(test)]
mod tests;
