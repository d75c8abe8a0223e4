//! Charts, drawn on the server with plotters into SVG. Nothing of plotters reaches the browser.

mod axis;
mod marks;
mod treemap;
mod trend;

pub use treemap::{TREEMAP_SIZES, Tile, Treemap};
pub use trend::trend;

/// Lines that a chart can tell apart.
pub const MAX_SERIES: usize = 4;

/// Points that a line is thinned to: about one for every four pixels of the wide chart.
pub const MAX_POINTS: usize = 300;

/// The size of a drawing, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Its width.
    pub width: u32,
    /// Its height.
    pub height: u32,
}

/// For a desk.
pub const WIDE: Size = Size {
    width: 1120,
    height: 300,
};

/// For a phone of 360 pixels.
pub const NARROW: Size = Size {
    width: 340,
    height: 240,
};
