//! The queries of `coverage-dashboard verify`, and repairs that follow from the rest of the database.

mod details;
mod integrity;
mod repair;
mod reports;
mod summaries;

pub use details::{DetailsPage, UnreadableDetails};
pub use reports::{KEY_END, PointedReport};
pub use summaries::{WrongOrg, WrongSummary};
