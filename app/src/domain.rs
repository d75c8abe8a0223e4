//! The nouns of the service: plain types and pure functions that the server and the browser share. No leptos, no I/O, no clock.

mod change;
mod count;
mod names;
mod overview;
mod percentage;
mod repository;
mod timestamp;
mod trend;

pub use change::Change;
pub use count::Count;
pub use names::{
    BranchName, CommitAuthor, CommitHash, Language, NameError, OrgName, RepoName, Repository,
};
pub use overview::{OrgGroup, Overview, OverviewQuery, RepositoryRow};
pub use percentage::{Level, Percentage};
pub use repository::{
    BranchPage, BranchRow, Compared, History, HistoryKey, HistoryPlace, HistoryRow,
    RepositoryDetail, RepositoryQuery, Trend,
};
pub use timestamp::Timestamp;
pub use trend::{Sample, Series, TrendPoint, TrendRange, thin};
