//! An org over time: the query, the stored history, and the arithmetic on it.

mod contribution;
mod history;
mod period;
mod query;
mod report;
mod share;
#[cfg(test)]
mod tests;

pub use history::{
    KeptRepositories, LinesChange, OrgHistory, OrgNewCode, OrgSeries, OrgSums, Step,
};
pub use period::{Interval, MAX_POINTS, MAX_READINGS, Period};
pub use query::{Beginning, Mean, OrgQuery, Over};
pub use report::{
    EveryDay, GroupRow, LeftOut, Movement, OrgPoint, OrgReport, Reason, RepositoryCounts, State,
};
