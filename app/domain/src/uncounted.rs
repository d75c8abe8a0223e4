//! Why the lines, branches or functions of a record are not known.

use crate::Metric;

/// Why a record has no count of a metric, as the end of a sentence. `is_united`: it unites several parts.
pub fn uncounted(metric: Metric, is_united: bool) -> &'static str {
    match (metric, is_united) {
        (Metric::Branches, true) => {
            "the parts do not all name their branches, or not in the same way"
        }
        (Metric::Functions, true) => "the functions of several parts are not counted",
        (Metric::Branches, false) => "the coverage file does not state the number of branches",
        (Metric::Functions, false) => "the coverage file does not state the number of functions",
        (Metric::Lines | Metric::New, _) => "the coverage file does not state the number of lines",
    }
}
