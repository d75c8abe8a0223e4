//! The rows of a source file: its lines with their text, or ranges of coverable lines if the text is not known.

use super::syntax::Start;
use domain::{
    Excerpt, KnownLines, LineBranches, LineRange, LineState, MissedSince, NotRunSince,
    SourceDetail, SourceLine, SourceLines, SourceTests,
};

/// The most rows of a page: more would be too large for a browser.
pub(crate) const MOST: usize = 30_000;

/// A line, or several coverable lines in the same state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row<'a> {
    pub(crate) lines: LineRange,
    /// The number of coverable lines.
    pub(crate) coverable: u64,
    /// `None` if the line is not coverable.
    pub(crate) state: Option<LineState>,
    pub(crate) runs: u8,
    pub(crate) branches: Option<&'a LineBranches>,
    /// Since when the lines have not run. Only the first of several rows has it.
    pub(crate) since: Option<&'a NotRunSince>,
    pub(crate) is_changed: bool,
    pub(crate) is_lost: bool,
    pub(crate) is_gained: bool,
    /// Whether it starts a range of lost lines.
    pub(crate) starts_loss: bool,
    /// Whether the address names it.
    pub(crate) is_chosen: bool,
    /// Whether it is the first of them.
    pub(crate) has_focus: bool,
    pub(crate) text: Option<&'a str>,
    /// How the text is coloured, if it is.
    pub(super) colours: Option<Start>,
    pub(super) flickers: bool,
    /// How many tests ran it; 0 if that is not known.
    pub(crate) tests: u64,
    /// The tests of the file, if they name the tests of this row.
    pub(crate) named_tests: Option<&'a SourceTests>,
    /// If it starts a range of lines that are missed or partial: the number of its coverable lines.
    pub(crate) starts_gap: Option<u64>,
    /// Whether it starts a range of changed lines.
    pub(crate) starts_change: bool,
}

/// The rows of a file.
#[derive(Debug, Default)]
pub(crate) struct Rows<'a> {
    pub(crate) rows: Vec<Row<'a>>,
    /// The number of lines of the text.
    pub(crate) lines_of_text: Option<u32>,
    /// The number of coverable lines after the last line of the text.
    pub(crate) beyond: usize,
    /// Whether there are more rows than [`MOST`].
    pub(crate) has_more: bool,
}

impl<'a> Rows<'a> {
    pub(crate) fn of(detail: &'a SourceDetail) -> Self {
        let known = match &detail.lines {
            SourceLines::Known(known) => Some(known),
            SourceLines::NoSuchFile | SourceLines::NotKept => None,
        };
        let marks = Marks::of(detail, known);
        let mut rows = match &detail.text {
            Some(text) => with_text(&detail.query.path, &text.0, known, marks),
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

/// The class of lines with their text: `few` if three digits number them, `once` if each has at most one character for its runs.
pub(crate) fn class_of(rows: &[Row<'_>]) -> &'static str {
    let are_few = rows.last().is_none_or(|row| row.lines.1 < 1000);
    let run_once = rows.iter().all(|row| row.runs <= 1);
    match (are_few, run_once) {
        (true, true) => "code text few once",
        (true, false) => "code text few",
        (false, true) => "code text once",
        (false, false) => "code text",
    }
}

/// How many lines before and after a wanted line are shown.
const CONTEXT: u32 = 3;

impl<'a> Rows<'a> {
    /// The wanted lines with their context, at most `most` lines.
    pub(super) fn around(excerpt: &'a Excerpt, most: usize) -> Self {
        let wanted = &excerpt.wanted;
        let marks = Marks {
            changed: Ranges(&excerpt.changed),
            lost: Ranges(&wanted.lost),
            gained: Ranges(&wanted.gained),
            ..Marks::default()
        };
        let mut rows = with_text(&wanted.path, &excerpt.text.0, Some(&excerpt.known), marks);
        let around = |&(first, last): &LineRange| {
            (first.saturating_sub(CONTEXT), last.saturating_add(CONTEXT))
        };
        let around: Vec<_> = wanted.lines.iter().map(around).collect();
        let (mut around, mut own) = (Ranges(&around), Ranges(&wanted.lines));
        starts(&mut rows.rows);
        rows.has_more = rows.rows.len() > MOST;
        let mut gap = None;
        rows.rows.retain_mut(|row| {
            match row.state {
                Some(LineState::Hit) => gap = None,
                _ => gap = row.starts_gap.take().or(gap),
            }
            let is_shown = around.have(row.lines.0);
            if is_shown && row.is_gap() {
                // The first lines of the gap may not be shown; the number is of the whole gap.
                row.starts_gap = gap.take();
            }
            // Whether lines ran matters here, not how often.
            row.runs = 0;
            row.flickers = wanted.flicker && own.have(row.lines.0);
            is_shown
        });
        rows.has_more |= rows.rows.len() > most;
        rows.rows.truncate(most);
        rows
    }
}

/// What is known about lines besides their state. Lines are asked for in ascending order.
#[derive(Default)]
struct Marks<'a> {
    changed: Ranges<'a>,
    lost: Ranges<'a>,
    gained: Ranges<'a>,
    chosen: Option<LineRange>,
    tests: &'a [(u32, u64)],
    since: &'a [MissedSince],
}

/// Ranges in ascending order, for lines in ascending order.
#[derive(Default)]
pub(crate) struct Ranges<'a>(pub(crate) &'a [LineRange]);

impl Ranges<'_> {
    pub(crate) fn have(&mut self, line: u32) -> bool {
        while self.0.first().is_some_and(|range| range.1 < line) {
            self.0 = &self.0[1..];
        }
        self.0.first().is_some_and(|range| range.0 <= line)
    }
}

impl<'a> Marks<'a> {
    fn of(detail: &'a SourceDetail, known: Option<&'a KnownLines>) -> Self {
        Self {
            changed: Ranges(&detail.changed),
            lost: Ranges(&detail.lost),
            gained: Ranges::default(),
            chosen: detail.query.lines,
            tests: detail.tests.as_ref().map_or(&[], |tests| &tests.lines),
            since: known.map_or(&[], |known| &known.missed_since),
        }
    }

    fn row(&mut self, line: u32, state: Option<&'a SourceLine>, text: Option<&'a str>) -> Row<'a> {
        let since = at(&mut self.since, line, |missed| missed.lines.0);
        let tests = at(&mut self.tests, line, |(of, _)| *of);
        let chosen = self.chosen;
        Row {
            tests: tests.map_or(0, |(_, tests)| *tests),
            lines: (line, line),
            coverable: state.is_some().into(),
            state: state.map(|line| line.state),
            runs: state.map_or(0, |line| line.runs),
            branches: state.and_then(|line| line.branches.as_ref()),
            // The beginning of the history is the same for all lines: a note states it.
            since: since
                .and_then(|missed| missed.since.as_ref())
                .filter(|since| !matches!(since, NotRunSince::HistoryBegins(_))),
            is_changed: self.changed.have(line),
            is_lost: self.lost.have(line),
            is_gained: self.gained.have(line),
            is_chosen: chosen.is_some_and(|(first, last)| (first..=last).contains(&line)),
            text,
            ..Row::default()
        }
    }
}

/// The entry of a line. Lines are asked for in ascending order, so `rest` loses the entries before it.
fn at<'a, T>(rest: &mut &'a [T], line: u32, number: impl Fn(&T) -> u32) -> Option<&'a T> {
    let before = rest.iter().take_while(|entry| number(entry) < line).count();
    *rest = &rest[before..];
    rest.first().filter(|entry| number(entry) == line)
}

fn with_text<'a>(
    path: &str,
    text: &'a str,
    known: Option<&'a KnownLines>,
    mut marks: Marks<'a>,
) -> Rows<'a> {
    let mut states = known
        .map_or(&[][..], |known| &known.lines)
        .iter()
        .peekable();
    let (mut rows, mut last, mut start) = (Vec::new(), 0, Start::of(path));
    for (number, text) in (1..).zip(text.lines()) {
        last = number;
        if rows.len() <= MOST {
            let state = states.next_if(|line| line.number == number);
            rows.push(Row {
                colours: start.filter(|_| Start::colours(number, text)),
                ..marks.row(number, state, Some(text))
            });
            start = start.map(|start| start.after(text));
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
