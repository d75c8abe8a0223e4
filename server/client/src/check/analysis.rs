//! Analyses and judges the measured lines of a language, as the service does with a record.

use crate::service::Found;
use domain::{
    Change, ChangedLines, Count, Gate, GateRules, GlobList, Language, LostLines, Percentage,
    Results, Verdict, ignoring,
};
use ingest::Measured;
use lines::{Changes, Difference, IgnoredPaths, Lines, Way};
use std::sync::Arc;
use store::{Definitions, GateNumbers, Known, KnownBase, RuledViews, changed_lines, lost_lines};

/// The results of a language.
pub(super) struct Judged {
    /// `None` for the files of unknown languages.
    pub(super) language: Option<Language>,
    percentage: Option<Percentage>,
    /// The change since the base; `None` if the record of the base is unknown.
    delta: Option<Change>,
    /// `None` if the changes are unknown.
    pub(super) changed: Option<ChangedLines>,
    /// Unchanged lines that ran at the base and do not run now; `None` if the base is unknown.
    lost: Option<LostLines>,
    /// `None` if no rule has a limit.
    pub(super) gate: Option<Gate>,
}

impl Judged {
    pub(super) fn results(&self) -> Results<'_> {
        let delta = self.delta.map(|delta| format!(" ({delta})"));
        Results {
            percentage: self.percentage,
            delta: delta.unwrap_or_default(),
            changed: self.changed.as_ref(),
            lost: self.lost.as_ref(),
            lacks_lost_lines: self.changed.is_some() && self.lost.is_none(),
            gate: self.gate.as_ref(),
        }
    }
}

/// Judges measured lines. `base` is the record of the commit that the changes start from, with its lines. `measured` has no
/// files that `ignore` matches. Skips rules about parts: a job has measured one part.
pub(super) fn judge(
    language: Option<Language>,
    measured: &Measured,
    changes: Option<&Changes>,
    base: Option<&(Found, Lines)>,
    (rules, ignore, definitions): (&GateRules, &GlobList, &Arc<Definitions>),
) -> Judged {
    let lines = &measured.lines;
    let of_changes = changes.into_iter().flat_map(Changes::files);
    let of_changes = of_changes.filter_map(|file| file.path.as_deref());
    let of_base = base.into_iter().flat_map(|(_, base)| base.files());
    let paths = of_base.map(|(path, _)| path).chain(of_changes);
    let ignored = ignoring(ignore, paths);
    let is_ignored = |path: &str| ignored.as_ref().is_some_and(|globs| globs.matches(path));
    let changed = changes.map(|changes| {
        let mut measured = changes.measured(lines);
        measured.unmeasured.retain(|path| !is_ignored(path));
        changed_lines(None, &measured, rules.partial())
    });
    let way = Way {
        changes,
        is_exact: true,
        ignored: Some(IgnoredPaths {
            at_base: &|_| false,
            at_head: &is_ignored,
        }),
        ..Way::default()
    };
    let lost = base.filter(|_| changes.is_some()).and_then(|(_, base)| {
        let difference = Difference::between(base, lines, way);
        lost_lines(&difference, lines)
    });
    let known = Known {
        total: measured.total,
        branches: measured.branches,
        functions: measured.functions,
        is_united: measured.is_united(),
        lines: Some(lines),
        changed: changed.as_ref(),
        lost: lost.as_ref(),
        no_changed: None,
        no_lost: None,
        base: KnownBase {
            total: base.and_then(total_of_base),
            lines: base.map(|(_, lines)| lines),
            ..KnownBase::default()
        },
    };
    let views = RuledViews::of(rules, definitions);
    let numbers = GateNumbers::measure(rules, &known, Vec::new(), &views);
    let mut gate = Gate::judge(rules, &numbers.input);
    let is_known = changed
        .as_ref()
        .is_some_and(|changed| changed.unknown.is_none());
    if let Some(gate) = &mut gate
        && gate.verdict == Verdict::Passed
        && !is_known
        && has_changed_rule(rules)
    {
        // Unlike on the service, nothing else will judge the changed lines.
        gate.verdict = Verdict::Unknown;
        gate.reasons.extend(gate.skipped.clone());
    }
    let percentage = measured.total.map(|total| total.percentage());
    let before = base.and_then(|(record, _)| record.percentage());
    Judged {
        language,
        percentage,
        delta: before
            .zip(percentage)
            .map(|(before, now)| Change::between(before, now)),
        changed,
        lost,
        gate,
    }
}

/// The total of the base; `None` if its tool stated another total than its lines have.
fn total_of_base((record, lines): &(Found, Lines)) -> Option<Count> {
    let counts = lines.counts();
    let count = Count {
        covered: counts.covered(),
        total: counts.coverable(),
    };
    let is_stated = Percentage::of(count)? == record.percentage()?;
    is_stated.then_some(count)
}

fn has_changed_rule(rules: &GateRules) -> bool {
    let of_paths = rules.paths.values().chain(rules.views.values());
    let mut all = of_paths.chain([&rules.all]);
    all.any(|limits| limits.changed.is_some())
}
