//! Analyses measured lines as the service analyses the lines of a record.

use domain::{ChangedLines, Count, Gate, GateRules, LostLines};
use lines::{Changes, Difference, Lines, Way};
use store::{GateNumbers, Known, changed_lines, lost_lines};

/// The measured lines, and what they are compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalLines<'a> {
    /// The total that the tool states.
    pub(crate) total: Option<Count>,
    pub(crate) lines: &'a Lines,
    pub(crate) changes: Option<&'a Changes>,
    /// The lines of the commit that the changes start from.
    pub(crate) base: Option<&'a Lines>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LocalAnalysis {
    /// `None` if the changes are unknown.
    pub(crate) changed: Option<ChangedLines>,
    /// Unchanged lines that ran at the base and do not run now; `None` if the base is unknown.
    pub(crate) lost: Option<LostLines>,
    /// `None` if no rule has a limit.
    pub(crate) gate: Option<Gate>,
}

impl LocalLines<'_> {
    /// Skips rules about parts: a job has measured one part.
    #[must_use]
    pub(crate) fn analyse(&self, rules: &GateRules) -> LocalAnalysis {
        let measured = self.changes.map(|changes| changes.measured(self.lines));
        let changed = measured.map(|measured| changed_lines(None, &measured, rules.partial()));
        let way = Way {
            changes: self.changes,
            is_exact: true,
            ..Way::default()
        };
        let base = self.base.filter(|_| self.changes.is_some());
        let lost = base.and_then(|base| {
            let difference = Difference::between(base, self.lines, way);
            lost_lines(&difference, self.lines)
        });
        let known = Known {
            total: self.total,
            lines: Some(self.lines),
            changed: changed.as_ref(),
            lost: lost.as_ref(),
            no_changed: None,
            no_lost: None,
        };
        let numbers = GateNumbers::measure(rules, &known, Vec::new());
        LocalAnalysis {
            gate: Gate::judge(rules, &numbers.input),
            changed,
            lost,
        }
    }
}
