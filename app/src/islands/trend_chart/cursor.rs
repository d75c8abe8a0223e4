//! The point that is read: the nearest point to the pointer, or the point that a key selects.

use crate::charts::{Frame, Line, LineChart, Point, step};

/// The largest horizontal distance between the pointer and the point that it shows, in units of the drawing.
const REACH: f64 = 48.0;

/// A point by the index of its line, and by its index on that line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    pub(super) line: usize,
    pub(super) point: usize,
}

impl Cursor {
    pub(super) fn texts(self, chart: &LineChart) -> Vec<String> {
        let Some((line, point)) = self.of(chart) else {
            return Vec::new();
        };
        let mut texts = chart.describe(line, point);
        let others = self.others(chart).into_iter();
        texts.extend(
            others.map(|(_, line, point)| format!("{}: {}\u{202f}%", line.label, point.percentage)),
        );
        texts
    }

    /// Where reading begins: the newest point of the first line that has points.
    pub(super) fn first(chart: &LineChart) -> Option<Self> {
        let mut lines = chart.lines.iter().enumerate();
        lines.find_map(|(line, points)| {
            let last = points.points().count().checked_sub(1)?;
            Some(Self { line, point: last })
        })
    }

    pub(super) fn of_link(chart: &LineChart, href: &str) -> Option<Self> {
        let found = all(chart).find(|(_, point)| point.href.as_deref() == Some(href));
        found.map(|(cursor, _)| cursor)
    }

    /// The nearest point to a place in the drawing. The horizontal position selects the time, the vertical one the line.
    pub(super) fn nearest(chart: &LineChart, frame: &Frame, (x, y): (f64, f64)) -> Option<Self> {
        all(chart)
            .map(|(cursor, point)| {
                let (point_x, point_y) = frame.place(point);
                ((point_x - x).abs(), (point_y - y).abs(), cursor)
            })
            .filter(|(across, ..)| *across <= REACH)
            .min_by(|a, b| (a.0 * 4.0 + a.1).total_cmp(&(b.0 * 4.0 + b.1)))
            .map(|(.., cursor)| cursor)
    }

    /// The point that a key selects: left and right along the line, Page Up and Page Down by several points, Home and End to
    /// the ends of the line, up and down to the next line.
    pub(super) fn after(self, chart: &LineChart, key: &str) -> Option<Self> {
        let Self { line, point } = self;
        let last = chart.lines.get(line)?.points().count().checked_sub(1)?;
        let count = chart.lines.len();
        match key {
            "ArrowUp" => (0..line).rev().find_map(|other| self.on_line(chart, other)),
            "ArrowDown" => (line + 1..count).find_map(|other| self.on_line(chart, other)),
            key => step(point, last, key).map(|point| Self { line, point }),
        }
    }

    /// The point of another line that is nearest in time.
    fn on_line(self, chart: &LineChart, line: usize) -> Option<Self> {
        Self::at(chart, line, self.of(chart)?.1.at.0)
    }

    /// The point of a line that is nearest to a time.
    pub(super) fn at(chart: &LineChart, line: usize, at: i64) -> Option<Self> {
        let points = chart.lines.get(line)?.points().enumerate();
        let (point, _) = points.min_by_key(|(_, point)| point.at.0.abs_diff(at))?;
        Some(Self { line, point })
    }

    /// Its line and its point, if they are shown.
    pub(super) fn of(self, chart: &LineChart) -> Option<(&Line, &Point)> {
        let line = chart.lines.get(self.line)?;
        Some((line, line.points().nth(self.point)?))
    }

    /// The points of the other lines at its time, each with the index of its line: the last point that was measured until then.
    pub(super) fn others(self, chart: &LineChart) -> Vec<(usize, &Line, &Point)> {
        let Some((_, own)) = self.of(chart) else {
            return Vec::new();
        };
        let others = chart.lines.iter().enumerate();
        let others = others.filter(|(index, _)| *index != self.line);
        others
            .filter_map(|(index, line)| {
                let point = line
                    .points()
                    .take_while(|point| point.at <= own.at)
                    .last()?;
                Some((index, line, point))
            })
            .collect()
    }
}

fn all(chart: &LineChart) -> impl Iterator<Item = (Cursor, &Point)> {
    chart.lines.iter().enumerate().flat_map(|(line, points)| {
        let points = points.points().enumerate();
        points.map(move |(index, point)| (Cursor { line, point: index }, point))
    })
}
