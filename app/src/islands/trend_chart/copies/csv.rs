//! The points of a chart as CSV (RFC 4180), the oldest first.

use crate::charts::LineChart;
use domain::{CHART_LINES, Day, guarded};
use std::borrow::Cow;

/// The columns; a time is in RFC 3339, or a day; a percentage has no sign.
const COLUMNS: &str = "time,line,percentage,details\r\n";

pub(super) fn csv(chart: &LineChart) -> String {
    let lines = chart.lines.iter().take(CHART_LINES);
    let mut points: Vec<_> = lines
        .flat_map(|line| line.points().map(move |point| (line, point)))
        .collect();
    points.sort_by_key(|(_, point)| point.at);
    let rows = points.into_iter().map(|(line, point)| {
        let time = if chart.is_daily {
            Day::of(point.at).to_string()
        } else {
            point.at.machine()
        };
        let (label, details) = (cell(&line.label), point.detail.join(" · "));
        format!("{time},{label},{},{}\r\n", point.percentage, cell(&details))
    });
    [COLUMNS.to_owned()].into_iter().chain(rows).collect()
}

/// A text as a cell, in quotes if it needs them.
fn cell(text: &str) -> Cow<'_, str> {
    let text = guarded(text.into());
    if text.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\"")).into()
    } else {
        text
    }
}
