//! A rule of some files, of a part or of a view, as people write it.

use super::Limits;
use std::{collections::BTreeMap, fmt, str::FromStr};

/// A rule for the files that a pattern matches, for a part of the commit, or for a view: `billing/**:changed=95`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopedRule<S> {
    /// The pattern, the part or the view.
    pub scope: S,
    /// The limit.
    pub limits: Limits,
}

impl<S: Clone + Ord> ScopedRule<S> {
    /// Adds rules to the limits of their scopes. A later rule wins.
    pub fn put(all: &mut BTreeMap<S, Limits>, rules: &[Self]) {
        for rule in rules {
            let of = all.entry(rule.scope.clone()).or_default();
            *of = rule.limits.over(*of);
        }
    }
}

impl<S: FromStr<Err: fmt::Display>> FromStr for ScopedRule<S> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected a name, a colon and changed=, lost= or floor= with a number";
        // A pattern may contain colons.
        let (scope, rule) = text.rsplit_once(':').ok_or_else(expected)?;
        let (name, number) = rule.split_once('=').ok_or_else(expected)?;
        let number: u64 = number.parse().map_err(|_| expected())?;
        let percent = || match u8::try_from(number) {
            Ok(percent) if percent <= 100 => Ok(Some(percent)),
            _ => Err(format!("{name} must be 0 to 100")),
        };
        let mut limits = Limits::default();
        match name {
            "changed" => limits.changed = percent()?,
            "lost" => limits.lost = Some(number),
            "floor" => limits.floor = percent()?,
            _ => return Err(expected().to_owned()),
        }
        let scope = scope
            .parse()
            .map_err(|error| format!("{scope:?} {error}"))?;
        Ok(Self { scope, limits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PartName, PathGlob};

    #[test]
    fn a_rule_of_a_path_names_its_pattern_and_its_number() {
        let rule: ScopedRule<PathGlob> = "a:b/**:lost=3".parse().expect("a rule");
        assert_eq!(rule.scope.as_str(), "a:b/**");
        assert_eq!(rule.limits.lost, Some(3));
        for (wrong, why) in [
            ("billing/**", "expected"),
            ("billing/**:changed", "expected"),
            ("billing/**:changed=x", "expected"),
            ("billing/**:drop=1", "expected"),
            ("billing/**:changed=101", "0 to 100"),
            ("/billing:floor=1", "\"/billing\" must be a path"),
        ] {
            let error = wrong.parse::<ScopedRule<PathGlob>>().expect_err(wrong);
            assert!(error.contains(why), "{wrong}: {error}");
        }
        assert!("E2E:floor=1".parse::<ScopedRule<PartName>>().is_err());
    }
}
