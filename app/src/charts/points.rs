//! The points of a chart, as data for the browser: each line has its own mark shape, so that colour is not the only
//! difference.

use super::{
    Line, LineChart, MAX_LINES, Point, drawing::Place, escaped::escaped, line_chart::basis_points,
};
use domain::Change;
use std::fmt::Write;

/// A line with more points than this shows marks only at the pointer and at its landmarks.
const ALWAYS_SHOWN: usize = 40;

/// The number of marks that are always shown if there are several lines.
const LANDMARKS: usize = 6;

/// The marks of all lines, as SVG for the top of the drawing.
pub(super) fn marks(chart: &LineChart, place: &Place) -> String {
    let mut svg = String::new();
    for (index, line) in chart.lines.iter().take(MAX_LINES).enumerate() {
        let is_quiet = line.points().count() > ALWAYS_SHOWN;
        let quiet = if is_quiet { " quiet" } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(svg, "<g class=\"marks series-{}{quiet}\">", index + 1);
        let landmarks = landmarks(chart, line);
        for piece in &line.pieces {
            for point in piece {
                // A single point between two gaps is visible only by its mark.
                let is_shown = piece.len() == 1 || landmarks.contains(&point);
                let class = if is_quiet && is_shown { " shown" } else { "" };
                mark(&mut svg, chart, line, index, point, class, place);
            }
        }
        svg.push_str("</g>");
    }
    svg
}

fn mark(
    svg: &mut String,
    chart: &LineChart,
    line: &Line,
    index: usize,
    point: &Point,
    class: &str,
    place: &Place,
) {
    let tip = escaped(&tip(chart, line, point).join("\n"));
    let (x, y) = place(point);
    let shape = shape(index, x, y);
    let href = point.href.as_deref().map_or_else(String::new, data_href);
    let _ = write!(
        svg,
        "<g class=\"mark{class}\" data-series=\"{index}\" data-tip=\"{tip}\"{href}><path d=\"{shape}\"/></g>"
    );
}

/// The link of a point, as a data attribute. Real links would give assistive technology hundreds of links for one chart.
pub(super) fn data_href(href: &str) -> String {
    format!(" data-href=\"{}\"", escaped(href))
}

/// The lines of a point's tooltip.
fn tip(chart: &LineChart, line: &Line, point: &Point) -> Vec<String> {
    let mut tip = vec![
        format!("{}\u{202f}%", point.percentage),
        line.label.clone(),
        chart.when(point),
    ];
    tip.extend(point.detail.iter().cloned());
    if let Some(target) = chart.target
        && basis_points(point.percentage) < basis_points(target)
    {
        let missing = Change::between(point.percentage, target).to_string();
        tip.push(format!(
            "{} below the target",
            missing.trim_start_matches('+')
        ));
    }
    tip
}

/// The last point of `line`, and a few more if there are several lines.
pub(super) fn landmarks<'a>(chart: &LineChart, line: &'a Line) -> Vec<&'a Point> {
    let points: Vec<_> = line.points().collect();
    let step = match chart.lines.len() {
        0 | 1 => points.len(),
        _ => points.len().div_ceil(LANDMARKS),
    };
    points.into_iter().rev().step_by(step.max(1)).collect()
}

/// A circle, a square, a diamond and a triangle.
pub(super) fn shape(index: usize, x: i32, y: i32) -> String {
    match index {
        0 => format!("M{} {y}a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", x - 4),
        1 => format!("M{} {}h7v7h-7z", x - 3, y - 3),
        2 => format!("M{x} {}l5 5l-5 5l-5-5z", y - 5),
        _ => format!("M{x} {}l5 9h-10z", y - 5),
    }
}
