//! The gate of a record: rules for its numbers, and the verdict.

mod fields;
mod judge;
mod list;
mod measured;
mod reasons;
mod rules;
mod scoped;
#[cfg(test)]
mod tests;

pub use fields::FieldErrors;
pub use measured::{ChangedCount, GateInput, LostCount, Measured, PlacedRange};
pub use rules::{CHANGED_MIN, GateRules, Limits, PartialLines};
pub use scoped::ScopedRule;

use crate::{choice::choices, text::shortened};
use serde::{Deserialize, Serialize};

/// The most characters of [`Gate::sentence`].
const SENTENCE: usize = 140;

/// The result of a gate for a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gate {
    /// The result.
    pub verdict: Verdict,
    /// Why the verdict is not `passed`, one sentence each. For an unknown verdict: which rules could not be judged, and why. With
    /// `evaluate`: what would fail.
    pub reasons: Vec<String>,
    /// If the verdict is `passed`: the rules that were kept, and by how much, one sentence each. Only pages show them.
    #[serde(skip)]
    pub kept: Vec<String>,
    /// The rules that were not applied, and why.
    pub skipped: Vec<String>,
    /// Whether rules only report, and never fail the verdict.
    pub evaluate: bool,
}

choices! {
    /// The result of a gate. Its word is the word in answers of the API and in the database.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    Verdict:
    /// No rule is broken.
    Passed = "passed",
    /// A rule is broken.
    Failed = "failed",
    /// Parts of the record are missing.
    Incomplete = "incomplete",
    /// No rule could be judged, or, in `check`, not the rule about changed lines.
    Unknown = "unknown",
}

impl Gate {
    /// What a reason begins with if the rules only report.
    pub const WOULD_FAIL: &str = "would fail: ";

    /// Applies rules to what was measured; `None` if no rule has a limit.
    #[must_use]
    pub fn judge(rules: &GateRules, input: &GateInput) -> Option<Self> {
        rules.have_limits().then(|| judge::judge(rules, input).0)
    }

    /// What rules would say about numbers that were stored before: never `passed` if a rule needs a number that is not stored.
    #[must_use]
    pub fn foresee(rules: &GateRules, input: &GateInput) -> Option<Self> {
        let judged = rules.have_limits().then(|| judge::judge(rules, input));
        judged.map(|(gate, lacks_numbers)| match gate.verdict {
            Verdict::Passed if lacks_numbers && gate.reasons.is_empty() => Self {
                verdict: Verdict::Unknown,
                reasons: gate.skipped.clone(),
                kept: Vec::new(),
                ..gate
            },
            _ => gate,
        })
    }

    /// The verdict and its first reason, for a commit status: at most 140 characters.
    #[must_use]
    pub fn sentence(&self) -> String {
        let more = match self.reasons.len() {
            0 | 1 => String::new(),
            reasons => format!(", and {} more", reasons - 1),
        };
        let first = self.reasons.first();
        let text = match (self.verdict, first) {
            (Verdict::Failed, Some(reason)) => format!("gate failed: {reason}"),
            (Verdict::Unknown, Some(reason)) => format!("gate unknown: {reason}"),
            (Verdict::Passed, Some(reason)) => format!("gate {reason}"),
            (Verdict::Incomplete, Some(reason)) => reason.clone(),
            (verdict, None) => match self.skipped.len() {
                0 => format!("gate {}", verdict.word()),
                1 => format!("gate {}, 1 rule skipped", verdict.word()),
                skipped => format!("gate {}, {skipped} rules skipped", verdict.word()),
            },
        };
        shortened(&text, SENTENCE.saturating_sub(more.chars().count())) + &more
    }

    /// The skipped rules, if other rules were judged. The reasons of an unknown verdict already name all skipped rules.
    #[must_use]
    pub fn skipped_beside(&self) -> &[String] {
        match self.verdict {
            Verdict::Unknown => &[],
            _ => &self.skipped,
        }
    }

    /// The first skipped rule, and how many more, such as `skipped lost: no changes were sent, and 1 more`.
    #[must_use]
    pub fn skipped_in_words(&self) -> Option<String> {
        let skipped = self.skipped_beside();
        let more = match skipped.len() {
            0 | 1 => String::new(),
            rules => format!(", and {} more", rules - 1),
        };
        let first = skipped.first()?;
        Some(format!("skipped {first}{more}"))
    }
}
