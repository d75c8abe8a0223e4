//! The rules of a gate: limits of all lines, of paths and of parts. No limit is set by default.

use crate::{PartName, PathGlob, ViewName, choice::choices};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// With fewer coverable changed lines, the rule `changed` does not apply, unless the rules set another minimum.
pub const CHANGED_MIN: u64 = 5;

/// The rules of a gate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GateRules {
    /// Limits of all lines of a record.
    #[serde(skip_serializing_if = "Limits::is_empty")]
    pub all: Limits,
    /// The minimum branch coverage of a record, in percent: 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branches_floor: Option<u8>,
    /// The least percentage of functions of a record that are called: 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub functions_floor: Option<u8>,
    /// The least number of coverable changed lines to which `changed` applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_min: Option<u64>,
    /// Whether the gate only reports, and never fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluate: Option<bool>,
    /// Whether the gate also judges changed and lost lines in records of the main branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub main: Option<bool>,
    /// How a partial line counts among the changed lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<PartialLines>,
    /// Limits of the lines of some files.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub paths: BTreeMap<PathGlob, Limits>,
    /// Limits of the lines of some parts.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<PartName, Limits>,
    /// Limits of the lines of some views.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub views: BTreeMap<ViewName, Limits>,
}

/// The limits of one set of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// The least percentage of changed lines that are covered: 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<u8>,
    /// The maximum number of unchanged lines that were covered in the base and are not covered now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<u64>,
    /// The least percentage of lines that are covered: 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<u8>,
}

choices! {
    /// How a partial line counts among the changed lines. Its word is the word in settings.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    PartialLines:
    /// It counts as covered.
    #[default]
    Hit = "hit",
    /// It counts as not covered.
    Miss = "miss",
}

impl Limits {
    /// Whether no limit is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Each limit of `self`, or of `other` if `self` does not set it.
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        Self {
            changed: self.changed.or(other.changed),
            lost: self.lost.or(other.lost),
            floor: self.floor.or(other.floor),
        }
    }
}

impl GateRules {
    /// The most path patterns, the most parts, and the most views that have limits.
    pub const MAX_SCOPES: usize = 50;

    /// Whether no rule is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether there is a limit that can fail.
    #[must_use]
    pub fn have_limits(&self) -> bool {
        let scoped = self.paths.values().chain(self.parts.values());
        let scoped = scoped.chain(self.views.values());
        let has_floor = self.branches_floor.or(self.functions_floor).is_some();
        has_floor || scoped.chain([&self.all]).any(|limits| !limits.is_empty())
    }

    /// The least number of coverable changed lines to which `changed` applies.
    #[must_use]
    pub fn changed_min(&self) -> u64 {
        self.changed_min.unwrap_or(CHANGED_MIN)
    }

    /// How a partial line counts among the changed lines.
    #[must_use]
    pub fn partial(&self) -> PartialLines {
        self.partial.unwrap_or_default()
    }

    /// The rules for a record of the main branch: changed and lost lines are judged only with `main`.
    #[must_use]
    pub fn of_main(mut self) -> Self {
        if self.main == Some(true) {
            return self;
        }
        let of_scopes = self.paths.values_mut().chain(self.parts.values_mut());
        let of_scopes = of_scopes.chain(self.views.values_mut());
        for limits in of_scopes.chain([&mut self.all]) {
            limits.changed = None;
            limits.lost = None;
        }
        self.paths.retain(|_, limits| !limits.is_empty());
        self.parts.retain(|_, limits| !limits.is_empty());
        self.views.retain(|_, limits| !limits.is_empty());
        self
    }

    /// Each rule of `self`, or of `other` if `self` does not set it.
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        Self {
            all: self.all.over(other.all),
            branches_floor: self.branches_floor.or(other.branches_floor),
            functions_floor: self.functions_floor.or(other.functions_floor),
            changed_min: self.changed_min.or(other.changed_min),
            evaluate: self.evaluate.or(other.evaluate),
            main: self.main.or(other.main),
            partial: self.partial.or(other.partial),
            paths: united(self.paths, other.paths),
            parts: united(self.parts, other.parts),
            views: united(self.views, other.views),
        }
    }
}

fn united<K: Ord>(own: BTreeMap<K, Limits>, other: BTreeMap<K, Limits>) -> BTreeMap<K, Limits> {
    let mut all = other;
    for (scope, limits) in own {
        let others = all.get(&scope).copied().unwrap_or_default();
        all.insert(scope, limits.over(others));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_that_is_set_wins_and_others_stay() {
        let limits = |changed, lost, floor| Limits {
            changed,
            lost,
            floor,
        };
        let paths = |of: &[(&str, Limits)]| {
            let glob = |(glob, limits): &(&str, Limits)| (glob.parse().expect("a glob"), *limits);
            of.iter().map(glob).collect::<BTreeMap<_, _>>()
        };
        let own = GateRules {
            all: limits(Some(0), None, Some(70)),
            branches_floor: Some(60),
            evaluate: Some(false),
            paths: paths(&[("a/**", limits(Some(95), None, None))]),
            ..GateRules::default()
        };
        let other = GateRules {
            all: limits(Some(80), Some(0), None),
            branches_floor: Some(50),
            functions_floor: Some(40),
            changed_min: Some(1),
            evaluate: Some(true),
            main: Some(true),
            partial: Some(PartialLines::Miss),
            paths: paths(&[
                ("a/**", limits(Some(50), Some(3), None)),
                ("b/**", limits(None, None, Some(1))),
            ]),
            parts: [("e2e".parse().expect("a part"), limits(None, None, Some(2)))].into(),
            views: [(
                "view:api".parse().expect("a view"),
                limits(Some(1), None, None),
            )]
            .into(),
        };
        let both = own.clone().over(other.clone());
        let expected = GateRules {
            all: limits(Some(0), Some(0), Some(70)),
            branches_floor: Some(60),
            evaluate: Some(false),
            paths: paths(&[
                ("a/**", limits(Some(95), Some(3), None)),
                ("b/**", limits(None, None, Some(1))),
            ]),
            ..other.clone()
        };
        assert_eq!(both, expected);
        assert_eq!(own.clone().over(GateRules::default()), own);
        assert_eq!(GateRules::default().over(own.clone()), own);
    }

    #[test]
    fn only_a_limit_makes_a_gate() {
        let mut rules = GateRules::default();
        assert!(rules.is_empty() && !rules.have_limits());
        rules.changed_min = Some(1);
        assert!(!rules.is_empty() && !rules.have_limits());
        let of_functions = GateRules {
            functions_floor: Some(0),
            ..GateRules::default()
        };
        assert!(of_functions.have_limits());
        let floor = Limits {
            floor: Some(0),
            ..Limits::default()
        };
        rules.parts.insert("e2e".parse().expect("a part"), floor);
        assert!(rules.have_limits());
    }
}
