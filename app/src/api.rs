//! The typed answers that islands fetch from `/coverages-api`: the server serialises the same structs.

mod overview;
mod trend;

pub use overview::{OrgAnswer, OverviewAnswer, RowAnswer};
pub use trend::{PointAnswer, SeriesAnswer, TrendAnswer};
