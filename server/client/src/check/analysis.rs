//! Analyses measured lines as the service analyses the lines of a record.

use domain::{ChangedLines, Gate, GateRules, LostLines};
use ingest::Measured;
use lines::{Changes, Difference, Lines, Way};
use store::{GateNumbers, Known, changed_lines, lost_lines};

pub(super) struct LocalAnalysis {
    /// `None` if the changes are unknown.
    pub(super) changed: Option<ChangedLines>,
    /// Unchanged lines that ran at the base and do not run now; `None` if the base is unknown.
    pub(super) lost: Option<LostLines>,
    /// `None` if no rule has a limit.
    pub(super) gate: Option<Gate>,
}

/// Analyses measured lines. `base` are the lines of the commit that the changes start from. Skips rules about parts: a job has
/// measured one part.
pub(super) fn analyse(
    measured: &Measured,
    changes: Option<&Changes>,
    base: Option<&Lines>,
    rules: &GateRules,
) -> LocalAnalysis {
    let lines = &measured.lines;
    let changed = changes.map(|changes| {
        let measured = changes.measured(lines);
        changed_lines(None, &measured, rules.partial())
    });
    let way = Way {
        changes,
        is_exact: true,
        ..Way::default()
    };
    let base = base.filter(|_| changes.is_some());
    let lost = base.and_then(|base| {
        let difference = Difference::between(base, lines, way);
        lost_lines(&difference, lines)
    });
    let known = Known {
        total: measured.total,
        lines: Some(lines),
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
