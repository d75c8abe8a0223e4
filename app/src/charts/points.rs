//! The marks of a chart's points, and their texts: each line has its own shape, so that colour is not the only difference.

use super::{
    Line, LineChart, Point,
    drawing::{LEFT, Projection},
    line_chart::{basis_points, sorted},
};
use domain::{CHART_LINES, Change};
use std::fmt::Write;

/// A line with more points than this shows only its landmarks. Most days repeat the value of the day before.
const ALWAYS_SHOWN: usize = 40;
const DAYS_SHOWN: usize = 10;

/// The number of marks that are always shown if there are several lines.
const LANDMARKS: usize = 6;

/// How many of the largest steps are marked, and at which share of the axis a step is large.
const MARKED: usize = 3;
const LARGE: i32 = 8;

/// The width of the text at a step.
const WIDTH: i32 = 72;

/// The marks of all lines, as SVG for the top of the drawing.
pub(super) fn marks(chart: &LineChart, place: &Projection) -> String {
    let mut svg = String::new();
    let most = if chart.is_daily {
        DAYS_SHOWN
    } else {
        ALWAYS_SHOWN
    };
    for (index, line) in chart.lines.iter().take(CHART_LINES).enumerate() {
        let is_short = line.points().count() <= most;
        let landmarks = landmarks(chart, line);
        // A single point between two gaps is visible only by its mark.
        let shown = line.pieces.iter().flat_map(|piece| {
            let is_single = piece.len() == 1;
            piece.iter().filter(move |_| is_short || is_single)
        });
        let shown = shown.chain(landmarks.into_iter().filter(|_| !is_short));
        // A cross marks the others.
        let shown = shown.filter(|point| !point.has_failed);
        let shapes: String = shown.map(place).map(|(x, y)| shape(index, x, y)).collect();
        if !shapes.is_empty() {
            let number = index + 1;
            // Writing to a string cannot fail.
            let _ = write!(
                svg,
                "<path class=\"marks series-{number}\" d=\"{shapes}\"/>"
            );
        }
    }
    let failed = chart.points().filter(|point| point.has_failed).map(place);
    let crosses: String = failed
        .map(|(x, y)| format!("M{} {}l8 8m0-8l-8 8", x - 4, y - 4))
        .collect();
    if !crosses.is_empty() {
        let _ = write!(svg, "<path class=\"failed\" d=\"{crosses}\"/>");
    }
    svg + &steps(chart, place, ["class=\"drops\"", "class=\"joined\""])
}

/// The largest steps of the first line that is shown: a drop with a triangle and its size, or which repositories came. A text is
/// lower or left out where a point, the target or another text is. `styles` are the attributes of both.
pub(super) fn steps(chart: &LineChart, place: &Projection, styles: [&str; 2]) -> String {
    let mut taken = Vec::new();
    for line in &chart.lines {
        for piece in &line.pieces {
            for point in piece {
                taken.push(place(point));
            }
        }
    }
    let mut rest = MARKED;
    let mut svg = String::new();
    for (change, joined, point) in chart.steps() {
        if rest == 0 {
            break;
        }
        let (text, style) = match (joined, point.detail.last()) {
            (0, _) => (format!("▼ {change}"), styles[0]),
            (_, Some(came)) if came.starts_with('+') => (came.clone(), styles[1]),
            _ => continue,
        };
        let (x, level) = place(point);
        if let Some(percentage) = chart.target {
            taken.push(place(&Point {
                percentage,
                ..point.clone()
            }));
        }
        // Below the end of a drop there is no line, unless the next one falls further; beside it there is none, unless the next rises.
        let first = if change.basis_points() > 0 { -10 } else { 20 };
        for (right, down) in [(8, first), (60, -10), (8, 38)] {
            let (right, y) = (x + right, level + down);
            let left = right - WIDTH;
            let mut is_free = left >= LEFT as i32;
            for (x, at) in &taken {
                is_free &= *x < left || *x > right + 8 || *at < y - 16 || *at >= y + 6;
            }
            if is_free {
                taken.push((right - 8, y - 5));
                taken.push((left, y - 5));
                rest -= 1;
                // Writing to a string cannot fail.
                let _ = write!(
                    svg,
                    "<text text-anchor=\"end\" x=\"{right}\" y=\"{y}\" {style}>{text}</text>"
                );
                break;
            }
        }
    }
    svg
}

impl LineChart {
    /// The large steps of the first line that is shown, each with how many repositories more the line sums up, and the point after it;
    /// the largest first. With as many repositories as before, only drops.
    pub(crate) fn steps(&self) -> Vec<(Change, u32, &Point)> {
        let (low, high) = self.axis();
        let large = (basis_points(high) - basis_points(low)) / LARGE;
        let line = self.lines.iter().find(|line| !line.pieces.is_empty());
        let points: Vec<_> = line.iter().flat_map(|line| line.points()).collect();
        let steps = points.windows(2).filter_map(|pair| {
            let change = Change::between(pair[0].percentage, pair[1].percentage);
            let joined = pair[1].repositories.checked_sub(pair[0].repositories)?;
            let size = change.basis_points();
            let is_shown = size <= -large || (joined > 0 && size >= large);
            is_shown.then_some((change, joined, pair[1]))
        });
        let steps: Vec<_> = steps.collect();
        let size = |step: &(Change, _, _)| -i64::from(step.0.basis_points().abs());
        let order = sorted(steps.iter().map(size).collect());
        let order = order
            .into_iter()
            .filter_map(|(_, place)| steps.get(place).copied());
        order.collect()
    }

    /// The coverage of a point, its line, its time and its details, each as a text.
    pub(crate) fn describe(&self, line: &Line, point: &Point) -> Vec<String> {
        let mut texts = vec![
            format!("{}\u{202f}%", point.percentage),
            line.label.clone(),
            self.when(point),
        ];
        texts.extend(point.detail.iter().cloned());
        let before = line.points().take_while(|other| other.at < point.at).last();
        texts.extend(before.map(|before| {
            let change = Change::between(before.percentage, point.percentage);
            format!("{change} since the point before")
        }));
        if let Some(target) = self.target
            && basis_points(point.percentage) < basis_points(target)
        {
            let missing = Change::between(point.percentage, target).to_string();
            let missing = missing.trim_start_matches('+');
            texts.push(format!("{missing} below the target"));
        }
        texts
    }
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

/// A circle, a square, a diamond, a triangle, one that points down, a plus, a wide and a tall rectangle.
pub(super) fn shape(index: usize, x: i32, y: i32) -> String {
    match index {
        0 => format!("M{} {y}a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", x - 4),
        1 => format!("M{} {}h7v7h-7z", x - 3, y - 3),
        2 => format!("M{x} {}l5 5l-5 5l-5-5z", y - 5),
        3 => format!("M{x} {}l5 9h-10z", y - 5),
        4 => format!("M{x} {}l5-9h-10z", y + 5),
        5 => format!("M{} {}h3v3h3v3h-3v3h-3v-3h-3v-3h3z", x - 1, y - 4),
        6 => format!("M{} {}h11v4h-11z", x - 5, y - 2),
        _ => format!("M{} {}h4v11h-4z", x - 2, y - 5),
    }
}
