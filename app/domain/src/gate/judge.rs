//! Applies rules to what was measured. All comparisons are of integers, without rounding.

use super::{
    ChangedCount, Gate, GateInput, GateRules, Limits, LostCount, Measured, PartialLines, Verdict,
    reasons,
};
use crate::{Count, Metric, text::counted, uncounted};

/// The phrases for rules that cannot be applied.
const NO_CHANGES: &str = "changed: no changes were sent";
const NO_BASE: &str = "lost: there is no record of the base commit";
const COSTLY: &str =
    "the patterns and files are too many to be matched; use fewer or shorter patterns";
const NO_VIEW: &str = "the main branch defines no such view, or its lines are not known";
const NO_TOTAL: &str = "floor: the number of lines is not known";

/// Returns the gate, and whether numbers that a rule needs are not known.
pub(super) fn judge(rules: &GateRules, input: &GateInput) -> (Gate, bool) {
    let mut judging = Judging {
        rules,
        all: &input.all,
        unknown_files: input.unknown_files,
        broken: Vec::new(),
        kept: Vec::new(),
        skipped: Vec::new(),
        judged: 0,
        lacks_numbers: false,
        no_changed: input.no_changed.as_deref().unwrap_or(NO_CHANGES),
        no_lost: input.no_lost.as_deref().unwrap_or(NO_BASE),
    };
    judging.scope("", rules.all, &input.all);
    let (branches, functions) = (input.branches, input.functions);
    for (metric, percent, total, base) in [
        (
            Metric::Branches,
            rules.branches_floor,
            branches,
            input.base_branches,
        ),
        (
            Metric::Functions,
            rules.functions_floor,
            functions,
            input.base_functions,
        ),
    ] {
        let what = metric.word();
        match (percent, total) {
            (Some(percent), Some(total)) => judging.floor("", percent, (total, base), what),
            (Some(_), None) => {
                let why = uncounted(metric, input.is_united);
                judging.skip(format!("{what}_floor: {why}"));
            }
            (None, _) => {}
        }
    }
    for (glob, &limits) in &rules.paths {
        match input.of_path(glob) {
            Some(measured) => judging.scope(&format!("{glob}: "), limits, measured),
            None if input.has_costly_paths => judging.skip(format!("{glob}: {COSTLY}")),
            None => judging.skip(format!("{glob}: the lines of these files are not known")),
        }
    }
    for (part, &limits) in &rules.parts {
        match input.of_part(part) {
            Some(measured) => judging.scope(&format!("part {part}: "), limits, measured),
            None if input.waits_for(part) => {}
            None => judging.skip(format!("part {part}: the record does not have it")),
        }
    }
    for (view, &limits) in &rules.views {
        match input.of_view(view) {
            Some(measured) => judging.scope(&format!("{view}: "), limits, measured),
            None => judging.skip(format!("{view}: {NO_VIEW}")),
        }
    }
    let Judging {
        broken,
        kept,
        skipped,
        judged,
        lacks_numbers,
        ..
    } = judging;
    let evaluate = rules.evaluate.unwrap_or_default();
    let (verdict, reasons) = if !input.waiting_for.is_empty() {
        let waiting = format!("waiting for {}", input.waiting_for);
        (Verdict::Incomplete, vec![waiting])
    } else if judged == 0 {
        (Verdict::Unknown, skipped.clone())
    } else if evaluate {
        let would = |reason| format!("{}{reason}", Gate::WOULD_FAIL);
        (Verdict::Passed, broken.into_iter().map(would).collect())
    } else if broken.is_empty() {
        (Verdict::Passed, broken)
    } else {
        (Verdict::Failed, broken)
    };
    let is_passed = verdict == Verdict::Passed;
    let gate = Gate {
        verdict,
        reasons,
        kept: if is_passed { kept } else { Vec::new() },
        skipped,
        evaluate,
    };
    (gate, lacks_numbers)
}

struct Judging<'a> {
    rules: &'a GateRules,
    all: &'a Measured,
    unknown_files: u64,
    /// A sentence for each rule that is broken.
    broken: Vec<String>,
    /// A sentence for each rule that is kept.
    kept: Vec<String>,
    skipped: Vec<String>,
    judged: u64,
    /// Whether a rule was skipped because its numbers are not known.
    lacks_numbers: bool,
    /// The reason if the changed lines of all files are unknown.
    no_changed: &'a str,
    /// The reason if the lost lines of all files are unknown.
    no_lost: &'a str,
}

impl Judging<'_> {
    /// Judges one set of lines, whose sentences begin with `prefix`.
    fn scope(&mut self, prefix: &str, limits: Limits, measured: &Measured) {
        if let Some(percent) = limits.changed {
            match &measured.changed {
                Some(changed) => self.changed(prefix, percent, changed),
                None if self.unknown_files > 0 => self.skip_unknown("changed"),
                None => self.skip_for(prefix, self.no_changed, self.all.changed.is_none()),
            }
        }
        if let Some(most) = limits.lost {
            match &measured.lost {
                Some(lost) => self.lost(prefix, most, lost),
                None if self.unknown_files > 0 => self.skip_unknown("lost"),
                None => self.skip_for(prefix, self.no_lost, self.all.lost.is_none()),
            }
        }
        if let Some(percent) = limits.floor {
            match measured.total {
                Some(total) => self.floor(prefix, percent, (total, measured.base), "lines"),
                None => self.skip_for(prefix, NO_TOTAL, self.all.total.is_none()),
            }
        }
    }

    fn changed(&mut self, prefix: &str, percent: u8, changed: &ChangedCount) {
        let partial = self.rules.partial();
        let covered = match partial {
            PartialLines::Hit => changed.covered,
            PartialLines::Miss => changed.covered.saturating_sub(changed.partial),
        };
        let count = Count {
            covered,
            total: changed.coverable,
        };
        let least = self.rules.changed_min();
        // A rule that does not apply to so few lines counts as judged.
        self.judged += 1;
        if count.total == 0 {
            return;
        }
        if count.total < least {
            let why = reasons::few_changed(count.total, least);
            self.skipped.push(format!("{prefix}changed: {why}"));
        } else if !reaches(count, percent) {
            let sentence = reasons::changed(count, percent, partial, &changed.missed);
            self.broken.push(format!("{prefix}{sentence}"));
        } else {
            let sentence = reasons::changed(count, percent, partial, &[]);
            self.kept.push(format!("{prefix}{sentence}"));
        }
    }

    fn lost(&mut self, prefix: &str, most: u64, lost: &LostCount) {
        self.judged += 1;
        let sentence = format!("{prefix}{}", reasons::lost(lost, most));
        match lost.lines > most {
            true => self.broken.push(sentence),
            false => self.kept.push(sentence),
        }
    }

    /// Judges a count. `base` is the count of the base record, and only explains a failure.
    fn floor(
        &mut self,
        prefix: &str,
        percent: u8,
        (total, base): (Count, Option<Count>),
        what: &str,
    ) {
        self.judged += 1;
        if !reaches(total, percent) {
            let failed_too = base.filter(|base| !reaches(*base, percent));
            let sentence = reasons::floor(total, percent, what, failed_too);
            self.broken.push(format!("{prefix}{sentence}"));
        } else {
            let sentence = reasons::floor(total, percent, what, None);
            self.kept.push(format!("{prefix}{sentence}"));
        }
    }

    /// Skips a rule. A reason that holds for all lines is stated once, not for each set of lines.
    fn skip_for(&mut self, prefix: &str, why: &str, of_all: bool) {
        let prefix = if of_all { "" } else { prefix };
        self.skip(format!("{prefix}{why}"));
    }

    /// Skips a rule for all sets of lines: changed lines that are not known may belong to each set.
    fn skip_unknown(&mut self, rule: &str) {
        let files = counted(self.unknown_files, "file");
        self.skip(format!(
            "{rule}: the changed lines of {files} are not known"
        ));
    }

    fn skip(&mut self, phrase: String) {
        self.lacks_numbers = true;
        if !self.skipped.contains(&phrase) {
            self.skipped.push(phrase);
        }
    }
}

fn reaches(count: Count, percent: u8) -> bool {
    u128::from(count.covered) * 100 >= u128::from(percent) * u128::from(count.total)
}
