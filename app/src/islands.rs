//! The parts of pages that render in the browser too: on the server first, so that a page is complete without scripts, then
//! in the browser by the same code.
//!
//! An island is an element with `data-island`. Its first child holds its data as JSON, its second child what the server
//! rendered. `start` hydrates it with code that is loaded only on pages that have the island; if that code cannot be loaded,
//! the page stays as the server rendered it. Not leptos's `#[island]`, for the reasons in `docs/src/decisions.md`.

mod fetch;
#[cfg(feature = "ssr")]
mod frame;
mod host;
mod listening;
#[cfg(feature = "hydrate")]
mod running;
mod suggestions;
mod trend_chart;

#[cfg(feature = "ssr")]
pub use frame::Chunks;
use host::host;
pub use host::{Host, set_host};
#[cfg(feature = "hydrate")]
pub use running::start;
#[cfg(feature = "ssr")]
pub(crate) use suggestions::Scope;
#[cfg(feature = "hydrate")]
pub use suggestions::{forget, preload, suggest, visited};
#[cfg(feature = "hydrate")]
pub use trend_chart::stop_opening;
#[cfg(feature = "ssr")]
pub(crate) use trend_chart::{ChartData, Days, Points, TrendFigure};
