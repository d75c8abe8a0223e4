//! The rows of the tables.

use crate::history::csv::Cell;
use domain::{Change, GroupRow, Movement, OrgPoint, Percentage, State};

pub(super) fn point(point: &OrgPoint) -> [Cell<'static>; 5] {
    [
        Cell::own(Some(point.day)),
        Cell::own(point.coverage),
        Cell::own(point.lines.map(|lines| lines.covered)),
        Cell::own(point.lines.map(|lines| lines.total)),
        Cell::own(Some(point.repositories)),
    ]
}

pub(super) fn movement(row: &Movement) -> [Cell<'_>; 10] {
    let percentage = |percentage: Option<Percentage>| Cell::own(percentage);
    [
        Cell::Text(row.repository.org.as_str().into()),
        Cell::Text(row.repository.repo.as_str().into()),
        Cell::own(Some(state(row))),
        percentage(row.start),
        percentage(row.end),
        Cell::own(row.change.map(signed)),
        Cell::own(row.contribution.map(signed)),
        Cell::own(row.lines.map(|lines| lines.covered)),
        Cell::own(row.lines.map(|lines| lines.total)),
        Cell::own(row.last),
    ]
}

fn state(row: &Movement) -> &'static str {
    match row.state {
        State::Kept => "kept",
        State::New => "new",
        State::Gone => "gone",
        State::Unweighted => "without_lines",
    }
}

/// Formats a change for spreadsheets: with a hyphen as minus and without a plus.
fn signed(change: Change) -> String {
    let text = change.to_string().replace('\u{2212}', "-");
    text.trim_start_matches('+').to_owned()
}

pub(super) fn group(row: &GroupRow) -> [Cell<'_>; 10] {
    let start = row.points.first().and_then(|point| point.coverage);
    [
        Cell::Text(row.org.as_str().into()),
        Cell::own(start),
        Cell::own(row.coverage),
        Cell::own(row.change.map(signed)),
        Cell::own(row.lines.map(|lines| lines.covered)),
        Cell::own(row.lines.map(|lines| lines.total)),
        Cell::own(Some(row.counts.in_period)),
        Cell::own(Some(row.counts.at_end)),
        Cell::own(Some(row.counts.on_target)),
        Cell::own(Some(row.counts.stale)),
    ]
}
