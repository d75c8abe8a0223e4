//! What a percentage counts, as a reader asks for it.

use domain::{Metric, NewSince, PartName, ViewName};

/// What a badge counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measure<'a> {
    /// What its percentage counts.
    pub metric: Metric,
    /// Only files of this view.
    pub view: Option<&'a ViewName>,
    /// Only this part. Its percentage is known of lines of all files.
    pub part: Option<&'a PartName>,
    /// Since when lines are new; by default as the settings of the main branch say.
    pub since: Option<&'a NewSince>,
}
