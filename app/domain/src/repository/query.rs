//! The choices on a repository's page; the address holds all of them.

use super::HistoryPlace;
use crate::{BranchName, Language, TrendRange};

/// The choices for a repository's page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepositoryQuery {
    /// The branch that the page shows; the main branch if none.
    pub branch: Option<BranchName>,
    /// The branches to compare with in the chart.
    pub compared: Compared,
    /// Only this language; all if none.
    pub language: Option<Language>,
    /// How far back the chart goes.
    pub range: TrendRange,
    /// Which part of the history is shown.
    pub place: HistoryPlace,
    /// Only branches whose name contains this text; empty for all.
    pub keyword: String,
    /// The page of the branches, counted from 1.
    pub page: u32,
}

/// The branches that the chart shows next to the chosen one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Compared {
    /// The main branch.
    #[default]
    Main,
    /// Only these; if empty, the chart shows the chosen branch alone.
    Branches(Vec<BranchName>),
}

impl RepositoryQuery {
    /// The compared branches without the chosen one, each once.
    pub fn compared_branches(&self, chosen: &BranchName, main: &BranchName) -> Vec<BranchName> {
        let requested = match &self.compared {
            Compared::Main => std::slice::from_ref(main),
            Compared::Branches(branches) => branches,
        };
        let mut others: Vec<BranchName> = Vec::new();
        for branch in requested {
            if branch != chosen && !others.contains(branch) {
                others.push(branch.clone());
            }
        }
        others
    }
}
