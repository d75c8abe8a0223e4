//! The part of a repository's page that is shown.

use super::HistoryPosition;
use crate::{
    BranchColumn, Order, Values,
    choice::choices,
    query::{Parameter, text},
};

choices! {
    /// A part of a repository's page, with an address of its own.
    #[derive(Default)]
    RepositoryTab:
    /// The files of the branch's current record, and the trend.
    #[default]
    Files = "files" => "Files and trend",
    /// The current records of all branches.
    Branches = "branches" => "Branches",
    /// The records of the branch.
    History = "history" => "History",
    /// The badge, the trend as an image, and an upload command.
    Badge = "badge" => "Badge and upload",
}

impl Parameter for RepositoryTab {
    /// Without its own parameter, a choice that only one part has names that part.
    fn read(name: &str, values: Values<'_>) -> Self {
        if let Ok(tab) = text(name, values).parse() {
            return tab;
        }
        let order = Option::<Order<BranchColumn>>::read("branches", values);
        if HistoryPosition::read("history", values) != HistoryPosition::Newest {
            Self::History
        } else if !text("keyword", values).is_empty()
            || order.is_some()
            || u32::read("p", values) > 1
        {
            Self::Branches
        } else {
            Self::default()
        }
    }

    fn write(&self, name: &'static str, into: &mut Vec<(&'static str, String)>) {
        if *self != Self::default() {
            into.push((name, self.word().to_owned()));
        }
    }
}
