//! The typed answers that islands fetch from `/coverages-api`: the server serialises the same structs.

mod author;
mod branches;
mod history;
mod overview;
mod search;
mod storage;
mod trend;

pub use author::{AuthorAnswer, AuthorRow};
pub use branches::{BranchRecord, BranchesAnswer};
pub use history::{HistoryAnswer, HistoryRecord};
pub use overview::{OrgAnswer, OverviewAnswer, RowAnswer};
pub use search::{
    AuthorFound, BranchFound, CommitFound, OrgRepositories, RepositoriesAnswer, SearchAnswer,
};
pub use storage::{StorageAnswer, StorageRow};
pub use trend::{PointAnswer, SeriesAnswer, TrendAnswer};
