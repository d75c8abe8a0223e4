//! What a gate judges: the numbers of all lines, of paths and of parts of a record.

use crate::{Count, LineRange, PartName, PartSet, PathGlob, ViewName};
use serde::{Deserialize, Serialize};

/// Lines of a file: its path and a range with both ends.
pub type PlacedRange = (String, LineRange);

/// The numbers of one set of lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// The changed lines; `None` if no changes were sent.
    pub changed: Option<ChangedCount>,
    /// The lost lines; `None` if the base commit has no record.
    pub lost: Option<LostCount>,
    /// All lines; `None` if they are not known.
    pub total: Option<Count>,
    /// All lines of the base record; `None` if there is none, or if its lines are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Count>,
}

/// The coverage of changed lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedCount {
    /// Lines that are hit or partial.
    pub covered: u64,
    /// Covered lines that are partial.
    pub partial: u64,
    /// Lines that have a state.
    pub coverable: u64,
    /// The first lines that are not covered, partial ones included if they count as missed.
    pub missed: Vec<PlacedRange>,
}

/// Unchanged lines that were hit at the base and are not now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostCount {
    /// The number of lines.
    pub lines: u64,
    /// The first lines.
    pub first: Vec<PlacedRange>,
    /// Files of the first lines that are no longer measured.
    #[serde(default)]
    pub unmeasured: Vec<String>,
}

/// The numbers of a record, for each set of lines that the rules name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateInput {
    /// All lines.
    pub all: Measured,
    /// All branches; `None` if they are not known.
    #[serde(default)]
    pub branches: Option<Count>,
    /// All functions; `None` if they are not known.
    #[serde(default)]
    pub functions: Option<Count>,
    /// The branches of the base record; `None` if they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_branches: Option<Count>,
    /// The functions of the base record; `None` if they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_functions: Option<Count>,
    /// Whether the record unites several parts.
    #[serde(default)]
    pub is_united: bool,
    /// The lines of the files that a pattern matches.
    pub paths: Vec<(PathGlob, Measured)>,
    /// Whether matching all files with the patterns would take too many steps. Then no pattern has numbers.
    #[serde(default)]
    pub has_costly_paths: bool,
    /// The lines of a part; `None` if the record does not have the part.
    pub parts: Vec<(PartName, Option<Measured>)>,
    /// The lines of a view; `None` if it is not known which files the view has.
    #[serde(default)]
    pub views: Vec<(ViewName, Option<Measured>)>,
    /// The parts that are missing. Empty for a complete record, whatever has arrived.
    pub waiting_for: PartSet,
    /// Changed files whose changed lines are not known. Then neither changed nor lost lines are judged.
    #[serde(default)]
    pub unknown_files: u64,
    /// Why the changed lines are not known, such as `changed: no changes were sent`.
    #[serde(default)]
    pub no_changed: Option<String>,
    /// Why the lost lines are not known, such as `lost: there is no record of the base commit`.
    #[serde(default)]
    pub no_lost: Option<String>,
}

impl GateInput {
    pub(super) fn of_path(&self, glob: &PathGlob) -> Option<&Measured> {
        let mut all = self.paths.iter();
        all.find_map(|(of, measured)| (of == glob).then_some(measured))
    }

    pub(super) fn of_part(&self, part: &PartName) -> Option<&Measured> {
        let found = self.parts.iter().find(|(of, _)| of == part);
        found.and_then(|(_, measured)| measured.as_ref())
    }

    pub(super) fn of_view(&self, view: &ViewName) -> Option<&Measured> {
        let found = self.views.iter().find(|(of, _)| of == view);
        found.and_then(|(_, measured)| measured.as_ref())
    }

    /// Whether a part is missing and can still arrive.
    pub(super) fn waits_for(&self, part: &PartName) -> bool {
        self.waiting_for.names().any(|missing| missing == part)
    }
}
