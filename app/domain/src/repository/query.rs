//! What a visitor of a repository's page may choose; all of it stands in the address.

use super::HistoryPlace;
use crate::{BranchName, Language, TrendRange};

/// How a repository is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepositoryQuery {
    /// The branch that the page speaks of; the main one where none is named.
    pub branch: Option<BranchName>,
    /// What stands beside it in the chart.
    pub compared: Compared,
    /// The only language that is of interest, if there is one.
    pub language: Option<Language>,
    /// How far back the chart goes.
    pub range: TrendRange,
    /// Which part of the history is shown.
    pub place: HistoryPlace,
    /// A part of the names of the branches that are listed; empty for all.
    pub keyword: String,
    /// The page of the branches, counted from 1.
    pub page: u32,
}

/// The branches that stand in the chart beside the chosen one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Compared {
    /// The main one.
    #[default]
    Main,
    /// Just these; the chart shows the chosen branch alone where there are none.
    Branches(Vec<BranchName>),
}

impl RepositoryQuery {
    /// The branches beside the chosen one, each once.
    pub fn beside(&self, chosen: &BranchName, main: &BranchName) -> Vec<BranchName> {
        let asked = match &self.compared {
            Compared::Main => std::slice::from_ref(main),
            Compared::Branches(branches) => branches,
        };
        let mut beside: Vec<BranchName> = Vec::new();
        for branch in asked {
            if branch != chosen && !beside.contains(branch) {
                beside.push(branch.clone());
            }
        }
        beside
    }
}
