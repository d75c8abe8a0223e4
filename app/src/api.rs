//! The typed answers that islands fetch from `/coverages-api`: the server serialises the same structs.

mod search;
mod trend;

pub use search::{
    AuthorFound, BranchFound, CommitFound, FileFound, OrgRepositories, OwnerFound,
    PullRequestFound, RepositoriesAnswer, SearchAnswer,
};
pub use trend::{PointAnswer, SeriesAnswer, TrendAnswer};
