//! Server functions: what the pages ask for. The browser calls them over HTTP; they are the dashboard's own and no public API.

mod encoding;
mod overview;
mod repository;

pub use encoding::JsonText;
pub use overview::{OverviewAnswer, read_overview};
pub use repository::{Chart, RepositoryAnswer, read_repository};
