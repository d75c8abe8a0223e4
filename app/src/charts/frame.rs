//! The area between the axes of a drawing: which place belongs to which time and percentage, and the other way round.

use super::{
    Axes, LineChart, Point, Size,
    drawing::{BOTTOM, LEFT, right_margin},
    line_chart::basis_points,
    points::shape,
};
use std::ops::Range;

/// The area between the axes, in units of the drawing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    /// From left to right.
    pub(crate) across: Range<f64>,
    /// From top to bottom.
    pub(crate) down: Range<f64>,
    /// The times at the left and at the right, in microseconds.
    times: Range<i64>,
    /// The percentages at the bottom and at the top, in basis points.
    percentages: Range<i32>,
}

impl LineChart {
    /// The area between the axes of [`Self::svg`].
    pub(crate) fn frame(&self, size: Size) -> Frame {
        let Axes { x, y } = self.axes();
        let right = f64::from(size.width - right_margin(self.shown_target(&y)));
        Frame {
            across: f64::from(LEFT)..right,
            down: f64::from(size.top)..f64::from(size.height - BOTTOM),
            times: x,
            percentages: y,
        }
    }
}

impl Frame {
    pub(crate) fn place(&self, point: &Point) -> (f64, f64) {
        let y = self.y_of(basis_points(point.percentage));
        (self.x_of(point.at.0), y)
    }

    /// The place of a time in microseconds, within the area.
    pub(crate) fn x_of(&self, time: i64) -> f64 {
        let span = (self.times.end - self.times.start).max(1) as f64;
        let share = (time - self.times.start) as f64 / span;
        self.across.start + share.clamp(0.0, 1.0) * (self.across.end - self.across.start)
    }

    /// The time at a place, within the area.
    pub(crate) fn time_at(&self, x: f64) -> i64 {
        self.time(x.clamp(self.across.start, self.across.end))
    }

    /// The times at two places, which may be outside of the area.
    pub(crate) fn times_between(&self, left: f64, right: f64) -> (i64, i64) {
        (self.time(left), self.time(right))
    }

    fn time(&self, x: f64) -> i64 {
        let span = (self.times.end - self.times.start) as f64;
        let share = (x - self.across.start) / (self.across.end - self.across.start);
        self.times.start + (share * span) as i64
    }

    fn y_of(&self, basis_points: i32) -> f64 {
        let Range { start, end } = self.percentages;
        let share = f64::from(basis_points - start) / f64::from((end - start).max(1));
        self.down.end - share * (self.down.end - self.down.start)
    }

    /// The crosshair at `at`, as SVG: a line, and a mark on each of `points` with the index of its line.
    pub(crate) fn crosshair(
        &self,
        at: i64,
        points: impl IntoIterator<Item = (usize, Point)>,
    ) -> String {
        let x = self.x_of(at).round() as i32;
        let (top, bottom) = (self.down.start as i32, self.down.end as i32);
        let mut svg = format!("<path class=\"crosshair\" d=\"M{x} {top}V{bottom}\"/>");
        for (index, point) in points {
            let (x, y) = self.place(&point);
            let shape = shape(index, x.round() as i32, y.round() as i32);
            let number = index + 1;
            svg += &format!("<path class=\"current series-{number}\" d=\"{shape}\"/>");
        }
        svg
    }

    pub(crate) fn selection(&self, start: i64, end: i64) -> String {
        let x_of = |time| self.x_of(time).round() as i32;
        let (left, right) = (x_of(start.min(end)), x_of(start.max(end)));
        let (top, bottom) = (self.down.start as i32, self.down.end as i32);
        let (width, height) = (right - left, bottom - top);
        format!(
            "<rect class=\"selection\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/>"
        )
    }
}
