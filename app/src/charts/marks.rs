//! The points of a chart that can be pointed at and followed: a mark of its own shape for each series, so that colour is
//! never all that tells them apart.

use crate::{
    domain::{Series, TrendPoint},
    links::ReportLinks,
};
use std::fmt::Write;

/// A line with more points than this shows a mark only where the pointer is.
const ALWAYS_SHOWN: usize = 40;

/// SVG links, one for each point of a series, where `at` says where they stand.
pub(super) fn marks(
    series: &Series,
    index: usize,
    at: &dyn Fn(&TrendPoint) -> (i32, i32),
    reports: &ReportLinks,
) -> String {
    let class = if series.points.len() > ALWAYS_SHOWN {
        "mark quiet"
    } else {
        "mark"
    };
    let mut svg = String::new();
    for point in &series.points {
        let (x, y) = at(point);
        let (address, number) = (reports.report(point.record_id), index + 1);
        let (percentage, when, commit, branch) = (
            point.percentage,
            point.at.long(),
            &point.commit,
            escaped(series.branch.as_str()),
        );
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<a href=\"{address}\" class=\"{class}\" tabindex=\"-1\"><title>{percentage} % on {branch}, {when}, commit {commit}</title>\
             <circle cx=\"{x}\" cy=\"{y}\" r=\"9\" fill=\"transparent\"/><path d=\"{}\" fill=\"var(--surface)\" stroke=\"var(--series-{number})\" stroke-width=\"2\"/></a>",
            shape(index, x, y),
        );
    }
    svg
}

/// A circle, a square, a diamond and a triangle.
fn shape(index: usize, x: i32, y: i32) -> String {
    match index {
        0 => format!("M{} {y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", x - 4),
        1 => format!("M{} {}h7v7h-7z", x - 3, y - 3),
        2 => format!("M{x} {}l5 5l-5 5l-5 -5z", y - 5),
        _ => format!("M{x} {}l5 9h-10z", y - 5),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
