//! Charts, drawn on the server with plotters into SVG. Nothing of plotters reaches the browser.

mod axis;
mod document;
mod drawing;
mod line_chart;
mod points;
mod sparkline;
mod theme;
mod treemap;

#[cfg(test)]
mod tests;

use crate::escaped;

pub use document::sentence;
use line_chart::Axes;
pub use line_chart::{Line, LineChart, Point, TargetPlace};
pub(crate) use sparkline::sparkline;
pub use treemap::{TREEMAP_SIZES, Tile, Treemap};

use drawing::drawing;

/// Lines that a chart can tell apart.
pub const MAX_LINES: usize = 4;

/// Points that a line is thinned to: about one for every four pixels of the wide chart.
pub const MAX_POINTS: usize = 300;

impl LineChart {
    /// The chart as an SVG element for a page, whose points can be pointed at; an empty text where there is nothing to draw.
    pub fn svg(&self, size: Size) -> String {
        let thinned = self.thinned(size.points);
        drawing(&thinned, &self.axes(), size, theme::of_the_page, |place| {
            points::marks(&thinned, place)
        })
    }

    fn thinned(&self, keep: usize) -> Self {
        let lines = self.lines.iter().take(MAX_LINES);
        let lines = lines.map(|line| line.thinned(keep)).collect();
        Self { lines, ..*self }
    }
}

/// The size of a drawing, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Its width.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// Points that a line is thinned to: about one for every four pixels.
    pub points: usize,
    /// Room above the axes.
    top: u32,
}

/// For a desk.
pub const WIDE: Size = Size {
    width: 1120,
    height: 300,
    points: 300,
    top: 12,
};

/// For a phone of 360 pixels.
pub const NARROW: Size = Size {
    width: 340,
    height: 240,
    points: 80,
    top: 12,
};
