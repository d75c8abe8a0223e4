//! The typed answers that islands fetch from `/coverages-api`: the server serialises the same structs.

mod trend;

pub use trend::{PointAnswer, SeriesAnswer, TrendAnswer};
