//! The rows of a source file: its lines with their text, or ranges of coverable lines if the text is not known.

use domain::{
    KnownLines, LineBranches, LineRange, LineState, NotRunSince, SourceDetail, SourceLine,
    SourceLines, SourceTests,
};
use std::{
    iter::{Copied, Peekable},
    slice,
};

/// The most rows of a page: more would be too large for a browser.
pub(super) const MOST: usize = 30_000;

/// A line, or several coverable lines in the same state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row<'a> {
    pub(super) lines: LineRange,
    /// The number of coverable lines.
    pub(super) coverable: u64,
    /// `None` if the line is not coverable.
    pub(super) state: Option<LineState>,
    pub(super) runs: u8,
    pub(super) branches: Option<&'a LineBranches>,
    /// Since when the lines have not run. Only the first of several rows has it.
    pub(super) since: Option<&'a NotRunSince>,
    pub(super) is_changed: bool,
    pub(super) is_lost: bool,
    /// Whether it starts a range of lost lines.
    pub(super) starts_loss: bool,
    /// Whether the address names it.
    pub(super) is_chosen: bool,
    /// Whether it is the first of them.
    pub(super) has_focus: bool,
    pub(super) text: Option<&'a str>,
    /// How many tests ran it; 0 if that is not known.
    pub(super) tests: u64,
    /// The tests of the file, if they name the tests of this row.
    pub(super) named_tests: Option<&'a SourceTests>,
    /// If it starts a range of lines that are missed or partial: the number of its coverable lines.
    pub(super) starts_gap: Option<u64>,
    /// Whether it starts a range of changed lines.
    pub(super) starts_change: bool,
}

/// The rows of a file.
#[derive(Debug, Default)]
pub(super) struct Rows<'a> {
    pub(super) rows: Vec<Row<'a>>,
    /// The number of lines of the text.
    pub(super) lines_of_text: Option<u32>,
    /// The number of coverable lines after the last line of the text.
    pub(super) beyond: usize,
    /// Whether there are more rows than [`MOST`].
    pub(super) has_more: bool,
}

impl<'a> Rows<'a> {
    pub(super) fn of(detail: &'a SourceDetail) -> Self {
        let known = match &detail.lines {
            SourceLines::Known(known) => Some(known),
            SourceLines::NoSuchFile | SourceLines::NotKept => None,
        };
        let marks = Marks::of(detail, known);
        let mut rows = match &detail.text {
            Some(text) => with_text(&text.0, known, marks),
            None => Self {
                rows: ranges(known.map_or(&[], |known| &known.lines), marks),
                ..Self::default()
            },
        };
        rows.has_more = rows.rows.len() > MOST;
        rows.rows.truncate(MOST);
        starts(&mut rows.rows);
        if let Some(first) = rows.rows.iter_mut().find(|row| row.is_chosen) {
            first.has_focus = true;
            first.named_tests = detail
                .tests
                .as_ref()
                .filter(|tests| !tests.named.is_empty());
        }
        rows
    }
}

/// What is known about lines besides their state. Lines are asked for in ascending order.
struct Marks<'a> {
    changed: Ranges<'a>,
    lost: Ranges<'a>,
    chosen: Option<LineRange>,
    tests: Peekable<Copied<slice::Iter<'a, (u32, u64)>>>,
    since: Peekable<Box<dyn Iterator<Item = (u32, &'a NotRunSince)> + 'a>>,
}

/// Ranges in ascending order, for lines in ascending order.
pub(super) struct Ranges<'a>(pub(super) &'a [LineRange]);

impl Ranges<'_> {
    pub(super) fn have(&mut self, line: u32) -> bool {
        while self.0.first().is_some_and(|range| range.1 < line) {
            self.0 = &self.0[1..];
        }
        self.0.first().is_some_and(|range| range.0 <= line)
    }
}

impl<'a> Marks<'a> {
    fn of(detail: &'a SourceDetail, known: Option<&'a KnownLines>) -> Self {
        let since = known.into_iter().flat_map(|known| &known.missed_since);
        let since = since.filter_map(|missed| Some((missed.lines.0, missed.since.as_ref()?)));
        let since: Box<dyn Iterator<Item = _>> = Box::new(since);
        let tests = detail.tests.as_ref().map_or(&[][..], |tests| &tests.lines);
        Self {
            tests: tests.iter().copied().peekable(),
            changed: Ranges(&detail.changed),
            lost: Ranges(&detail.lost),
            chosen: detail.query.lines,
            since: since.peekable(),
        }
    }

    fn row(&mut self, line: u32, state: Option<&'a SourceLine>, text: Option<&'a str>) -> Row<'a> {
        while self.since.next_if(|(first, _)| *first < line).is_some() {}
        let since = self.since.next_if(|(first, _)| *first == line);
        while self.tests.next_if(|(of, _)| *of < line).is_some() {}
        let tests = self.tests.next_if(|(of, _)| *of == line);
        let chosen = self.chosen;
        Row {
            tests: tests.map_or(0, |(_, tests)| tests),
            lines: (line, line),
            coverable: state.is_some().into(),
            state: state.map(|line| line.state),
            runs: state.map_or(0, |line| line.runs),
            branches: state.and_then(|line| line.branches.as_ref()),
            since: since.map(|(_, since)| since),
            is_changed: self.changed.have(line),
            is_lost: self.lost.have(line),
            is_chosen: chosen.is_some_and(|(first, last)| (first..=last).contains(&line)),
            text,
            ..Row::default()
        }
    }
}

fn with_text<'a>(text: &'a str, known: Option<&'a KnownLines>, mut marks: Marks<'a>) -> Rows<'a> {
    let mut states = known
        .map_or(&[][..], |known| &known.lines)
        .iter()
        .peekable();
    let (mut rows, mut last) = (Vec::new(), 0);
    for (number, text) in (1..).zip(text.lines()) {
        last = number;
        if rows.len() <= MOST {
            let state = states.next_if(|line| line.number == number);
            rows.push(marks.row(number, state, Some(text)));
        }
    }
    let beyond: Vec<_> = states.filter(|line| line.number > last).collect();
    let rest = beyond.iter().take(MOST);
    rows.extend(rest.map(|line| marks.row(line.number, Some(line), None)));
    Rows {
        rows,
        lines_of_text: Some(last),
        beyond: beyond.len(),
        has_more: false,
    }
}

/// The coverable lines; adjacent ones that differ in nothing are one row. Lines between them that are not coverable do not matter.
fn ranges<'a>(lines: &'a [SourceLine], mut marks: Marks<'a>) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = Vec::new();
    for line in lines {
        if rows.len() > MOST {
            break;
        }
        let row = Row {
            runs: 0,
            tests: 0,
            ..marks.row(line.number, Some(line), None)
        };
        match rows.last_mut() {
            Some(before) if before.continues_as(&row) => {
                before.lines.1 = line.number;
                before.coverable += 1;
            }
            _ => rows.push(row),
        }
    }
    rows
}

impl Row<'_> {
    fn is_gap(&self) -> bool {
        matches!(self.state, Some(LineState::Missed | LineState::Partial))
    }

    fn continues_as(&self, next: &Self) -> bool {
        let about = |row: &Self| (row.state, row.is_changed, row.is_lost, row.is_chosen);
        about(self) == about(next) && self.state != Some(LineState::Partial) && next.since.is_none()
    }
}

/// Finds where ranges of missed or partial, of changed and of lost lines start. A line that is not coverable does not end a gap.
fn starts(rows: &mut [Row<'_>]) {
    let (mut gap, mut was_changed, mut was_lost) = (None, false, false);
    for index in 0..rows.len() {
        let row = &rows[index];
        let (is_changed, is_lost, coverable) = (row.is_changed, row.is_lost, row.coverable);
        let (is_gap, is_hit) = (row.is_gap(), row.state == Some(LineState::Hit));
        rows[index].starts_change = is_changed && !was_changed;
        was_changed = is_changed;
        // A line that is not coverable does not end a loss either.
        if coverable > 0 {
            rows[index].starts_loss = is_lost && !was_lost;
            was_lost = is_lost;
        }
        if is_hit {
            gap = None;
        } else if is_gap {
            let start = *gap.get_or_insert(index);
            *rows[start].starts_gap.get_or_insert(0) += coverable;
        }
    }
}
