//! The typed answers that islands fetch from `/coverages-api`: the server serialises the same structs.

mod history;
mod overview;
mod search;
mod trend;

pub use history::{HistoryAnswer, HistoryRecord};
pub use overview::{OrgAnswer, OverviewAnswer, RowAnswer};
pub use search::{
    AuthorFound, BranchFound, CommitFound, OrgRepositories, RepositoriesAnswer, SearchAnswer,
};
pub use trend::{PointAnswer, SeriesAnswer, TrendAnswer};
