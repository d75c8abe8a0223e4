//! The queries of `coverage-dashboard verify`, and repairs that follow from the rest of the database.

mod details;
mod integrity;
mod lines;
mod repair;
mod reports;
mod summaries;

pub use details::{DetailsPage, UnreadableDetails};
pub use lines::LinesPage;
pub use reports::{KEY_END, PointedReport};
pub use summaries::{WrongOrg, WrongSummary};
