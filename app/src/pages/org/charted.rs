//! The groups that the chart of an org shows.

use domain::{CHART_LINES, GroupRow, OrgReport};
use std::cmp::Reverse;

/// The groups that have a line: the largest ones, sorted by name. A single group has no line: it would hide the line of the org.
pub(super) fn lines_of_groups(report: &OrgReport) -> Vec<&GroupRow> {
    let mut groups: Vec<_> = report.groups.iter().collect();
    if groups.len() == 1 {
        return Vec::new();
    }
    let size = |row: &GroupRow| (row.lines.map(|lines| lines.total), row.counts.at_end);
    groups.sort_by_key(|row| Reverse(size(row)));
    groups.truncate(CHART_LINES - 1);
    groups.sort_by(|a, b| a.org.cmp(&b.org));
    groups
}
