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

choices! {
    /// A metric that coverage files state. Over several repositories, only these are counted.
    #[derive(Default, Hash)]
    StatedMetric:
    /// Lines.
    #[default]
    Lines = "lines" => "Lines",
    /// Branches.
    Branches = "branches" => "Branches",
    /// Functions.
    Functions = "functions" => "Functions",
}

with_default!(Metric, StatedMetric);

impl StatedMetric {
    /// The noun for one of what is counted.
    pub fn singular(self) -> &'static str {
        match self {
            Self::Lines => "line",
            Self::Branches => "branch",
            Self::Functions => "function",
        }
    }

    /// The title of its percentage.
    pub fn coverage(self) -> &'static str {
        match self {
            Self::Lines => "Line coverage",
            Self::Branches => "Branch coverage",
            Self::Functions => "Function coverage",
        }
    }
}

impl From<StatedMetric> for Metric {
    fn from(metric: StatedMetric) -> Self {
        match metric {
            StatedMetric::Lines => Self::Lines,
            StatedMetric::Branches => Self::Branches,
            StatedMetric::Functions => Self::Functions,
        }
    }
}
