//! What `coverage-dashboard verify` asks the database, and how it repairs what can be told from the rest of it.

mod details;
mod integrity;
mod repair;
mod reports;
mod summaries;

pub use details::{DetailsPage, UnreadableDetails};
pub use reports::{KEY_END, PointedReport};
pub use summaries::{WrongOrg, WrongSummary};
