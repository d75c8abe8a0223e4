//! What a percentage counts.

use crate::{choice::choices, query::with_default};

choices! {
    /// What a percentage counts.
    #[derive(Default, Hash)]
    Metric:
    /// Lines.
    #[default]
    Lines = "lines" => "Lines",
    /// Branches.
    Branches = "branches" => "Branches",
    /// Functions.
    Functions = "functions" => "Functions",
    /// Lines that are new since a position in the history of the main branch.
    New = "new" => "New code",
}

with_default!(Metric);
