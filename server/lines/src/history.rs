//! The history of lines: the two records between which a coverable line was added, and the last record that ran it.
//!
//! A record is known by the id that the caller gives. The chain of a record is the record, its base, the base of the base, and so on.

mod counts;
mod encoding;
mod since;

pub use counts::{OriginCount, OriginCounts};
pub use since::Since;

use crate::{
    changes::Changes,
    file::FileLines,
    line::Line,
    pairs::{Pair, pairs},
    record::Lines,
};
use std::{collections::HashMap, rc::Rc};

/// When a line came: after the record `after`, and with the record `at` at the latest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The newest record of the chain that certainly did not have the line. `None` if unknown.
    pub after: Option<i64>,
    /// The oldest record of the chain that certainly has the line.
    pub at: i64,
}

/// The history of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LineHistory {
    /// When the line came.
    pub origin: Origin,
    /// The newest record of the chain that ran the line. `None` if no record is known to have run it.
    pub last_run: Option<i64>,
}

/// The history of all lines of a record. It belongs to exactly these lines, and is useless without them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// The different histories of lines.
    distinct: Vec<LineHistory>,
    /// For each line, in the order of the files and lines of the record: its index in `distinct`.
    lines: Vec<u32>,
}

/// The record before, and the changes since it.
#[derive(Debug, Clone, Copy)]
pub struct HistoryBase<'a> {
    /// The record.
    pub record: i64,
    /// The lines of the record.
    pub lines: &'a Lines,
    /// Their history.
    pub history: &'a History,
    /// The changes, which start from the tree of the record and contain all differences.
    pub changes: &'a Changes,
}

impl History {
    /// Computes the history of the lines of `record`. `measured` has the lines of the parts that it measured, without carried
    /// parts. Without a base, all lines have an unknown beginning.
    ///
    /// A line in an added range came after the base. Any other line is also in the base. If it is coverable there, its history is kept;
    /// if not, it came with the base or earlier. If a file has stale hunks, or its changed lines are unknown, the origin of its lines is
    /// unknown.
    pub fn of(record: i64, lines: &Lines, measured: &Lines, base: Option<HistoryBase<'_>>) -> Self {
        let mut building = Building {
            record,
            known: HashMap::new(),
            history: Self::default(),
        };
        building.history.lines.reserve_exact(lines.len());
        let Some(base) = base else {
            for (path, file) in lines.files() {
                building.file(file, measured.get(path), |_| unknown(record));
            }
            return building.history;
        };
        let of_base: HashMap<&str, &[u32]> = base.history.indexes(base.lines).collect();
        // The pairs are in the order of the lines' paths.
        for pair in pairs(base.lines, lines, Some(base.changes)) {
            let Some(head) = pair.head else { continue };
            let indexes = of_base.get(pair.old_path).copied().unwrap_or_default();
            let before = before(record, &pair, indexes, base);
            building.file(head, measured.get(pair.path), before);
        }
        building.history
    }

    /// Replaces the ids of all records. If `id_of` returns `None` for `after` or `last_run`, this field becomes unknown. If it returns
    /// `None` for `at`, the origin becomes unknown: `at` is then `record`, the record of these lines.
    #[must_use]
    pub fn with_records(mut self, record: i64, id_of: impl Fn(i64) -> Option<i64>) -> Self {
        for LineHistory { origin, last_run } in &mut self.distinct {
            *origin = match id_of(origin.at) {
                Some(at) => Origin {
                    after: origin.after.and_then(&id_of),
                    at,
                },
                None => Origin {
                    after: None,
                    at: record,
                },
            };
            *last_run = last_run.and_then(&id_of);
        }
        self
    }

    /// The files of a record, each with the indexes of its lines.
    fn indexes<'a>(&'a self, lines: &'a Lines) -> impl Iterator<Item = (&'a str, &'a [u32])> {
        let mut rest = self.lines.as_slice();
        lines.files().map(move |(path, file)| {
            let of_file = rest.split_off(..file.lines().len());
            (path, of_file.unwrap_or_default())
        })
    }

    /// The files of the record with the lines `lines`: each with its lines, and the history of each line.
    pub fn files<'a>(
        &'a self,
        lines: &'a Lines,
    ) -> impl Iterator<
        Item = (
            &'a str,
            &'a FileLines,
            impl Iterator<Item = LineHistory> + 'a,
        ),
    > {
        self.files_with(lines, |history| history)
    }

    /// Like [`files`](Self::files), with the value that `of` computes from the history of each line. `of` runs once for each
    /// distinct history.
    pub fn files_with<'a, T: Copy + 'a>(
        &'a self,
        lines: &'a Lines,
        of: impl FnMut(LineHistory) -> T,
    ) -> impl Iterator<Item = (&'a str, &'a FileLines, impl Iterator<Item = T> + 'a)> {
        let values: Rc<[T]> = self.distinct.iter().copied().map(of).collect();
        let files = self.indexes(lines).zip(lines.files());
        files.map(move |((path, indexes), (_, file))| {
            let values = values.clone();
            let of_lines = indexes.iter().map(move |&index| values[index as usize]);
            (path, file, of_lines)
        })
    }
}

struct Building {
    record: i64,
    /// The index of each history in `distinct`.
    known: HashMap<LineHistory, u32>,
    history: History,
}

impl Building {
    /// Adds the lines of a file. `before` returns the history of a line without the runs of this record.
    fn file(
        &mut self,
        file: &FileLines,
        measured: Option<&FileLines>,
        mut before: impl FnMut(u32) -> LineHistory,
    ) {
        let measured = measured.map_or(&[][..], FileLines::lines);
        let mut ran = measured.iter().filter(|line| line.ran()).peekable();
        let mut last = None;
        for line in file.lines() {
            let number = line.number();
            while ran.next_if(|line| line.number() < number).is_some() {}
            let mut history = before(number);
            if ran.next_if(|line| line.number() == number).is_some() {
                history.last_run = Some(self.record);
            }
            // Most lines have the history of their neighbour.
            let index = match last {
                Some((same, index)) if same == history => index,
                _ => self.index(history),
            };
            last = Some((history, index));
            self.history.lines.push(index);
        }
    }

    fn index(&mut self, history: LineHistory) -> u32 {
        let distinct = &mut self.history.distinct;
        *self.known.entry(history).or_insert_with(|| {
            distinct.push(history);
            // There are never more histories than lines.
            u32::try_from(distinct.len() - 1).unwrap_or(u32::MAX)
        })
    }
}

fn never_run(after: Option<i64>, at: i64) -> LineHistory {
    LineHistory {
        origin: Origin { after, at },
        last_run: None,
    }
}

fn unknown(record: i64) -> LineHistory {
    never_run(None, record)
}

/// Returns a function that finds the history of a line of `record` in its base; lines must be in ascending order. `indexes` are
/// the indexes of the base's lines of this file.
fn before<'a>(
    record: i64,
    pair: &'a Pair<'a>,
    indexes: &'a [u32],
    base: HistoryBase<'a>,
) -> impl FnMut(u32) -> LineHistory {
    let is_unknown = pair.is_stale || pair.hides_lines();
    let is_new = pair.is_copy || pair.change.is_some_and(|change| change.is_binary);
    let hunks = pair.change.map_or(&[][..], |change| &change.hunks);
    let (mut hunks, mut shift) = (hunks.iter().peekable(), 0_i64);
    let old = pair.base.map_or(&[][..], FileLines::lines);
    let mut old = old.iter().zip(indexes).peekable();
    move |line| {
        if is_unknown {
            return unknown(record);
        }
        while let Some(passed) = hunks.next_if(|hunk| hunk.new.end() <= line) {
            shift += i64::from(passed.old.lines) - i64::from(passed.new.lines);
        }
        if is_new || hunks.peek().is_some_and(|hunk| hunk.new.first <= line) {
            return never_run(Some(base.record), record);
        }
        let number = i64::from(line) + shift;
        let is_before = |(of, _): &(&Line, _)| i64::from(of.number()) < number;
        while old.next_if(is_before).is_some() {}
        match old.next_if(|(of, _)| i64::from(of.number()) == number) {
            Some((_, &index)) => base.history.distinct[index as usize],
            None => never_run(None, base.record),
        }
    }
}
