//! The typed answers that islands fetch from `/coverages-api`: the server serialises the same structs.

mod search;
mod trend;

pub use search::{
    AuthorFound, BranchFound, CommitFound, OrgRepositories, OwnerFound, RepositoriesAnswer,
    SearchAnswer,
};
pub use trend::{PointAnswer, SeriesAnswer, TrendAnswer};
