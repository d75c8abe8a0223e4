//! Charts as SVG, drawn with plotters: the same code draws on the server and in the browser.

mod axis;
mod document;
mod drawing;
mod frame;
mod line_chart;
mod points;
#[cfg(feature = "ssr")]
mod sparkline;
mod theme;
#[cfg(feature = "ssr")]
mod treemap;

#[cfg(test)]
mod tests;

use crate::escaped;
use domain::CHART_LINES;

pub use document::{sentence, shortened};
pub(crate) use frame::Frame;
use line_chart::Axes;
#[cfg(feature = "ssr")]
pub(crate) use line_chart::begins_late;
pub(crate) use line_chart::{FAILED, TargetPlace, sorted};
pub use line_chart::{Line, LineChart, Point};
#[cfg(feature = "ssr")]
pub(crate) use sparkline::sparkline;
#[cfg(feature = "ssr")]
pub(crate) use treemap::{TREEMAP_SIZES, Tile, Treemap};

use drawing::drawing;

impl LineChart {
    /// Returns the chart as an SVG element for a page; empty if there is nothing to draw.
    pub(crate) fn svg(&self, size: Size) -> String {
        let thinned = self.thinned(size.points);
        drawing(&thinned, &self.axes(), size, theme::of_the_page, |place| {
            points::marks(&thinned, place)
        })
    }

    fn thinned(&self, keep: usize) -> Self {
        let lines = self.lines.iter().take(CHART_LINES);
        let lines = lines.map(|line| line.thinned(keep)).collect();
        Self { lines, ..*self }
    }
}

fn canvas((width, height): (u32, u32)) -> String {
    format!("viewBox=\"0 0 {width} {height}\" xmlns=\"http://www.w3.org/2000/svg\"")
}

/// How many points Page Up and Page Down skip.
const PAGE: usize = 10;

/// The index of the point or the tile that a key selects: left and right to the next one, Page Up and Page Down by several,
/// Home and End to the ends; `None` for other keys.
pub fn step(here: usize, last: usize, key: &str) -> Option<usize> {
    Some(match key {
        "ArrowLeft" => here.saturating_sub(1),
        "ArrowRight" => last.min(here + 1),
        "PageUp" => here.saturating_sub(PAGE),
        "PageDown" => last.min(here + PAGE),
        "Home" => 0,
        "End" => last,
        _ => return None,
    })
}

/// The size of a drawing, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// The maximum number of points of a line.
    points: usize,
    /// Space above the axes.
    top: u32,
}

/// The drawing of the server. Windows of 1,200 to 1,900 pixels have this width for it.
pub(crate) const WIDE: Size = Size::of_width(1_098);

/// A drawing on a phone.
#[cfg(test)]
pub(crate) const NARROW: Size = Size::of_width(326);

impl Size {
    /// The size that needs no scaling in a card of this width, so that its labels are as large as other text. The style sheet has the
    /// same heights.
    pub(crate) const fn of_width(width: u32) -> Self {
        let height = width * 300 / 1_098;
        Self {
            width,
            height: if height < 240 { 240 } else { height },
            points: width as usize / 4,
            top: 12,
        }
    }
}
