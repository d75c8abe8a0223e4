//! The arguments of `coverage-dashboard gate`.

use crate::commands::database::DatabaseArguments;
use clap::{
    Args, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
    value_parser,
};
use domain::{
    GateRules, Limits, OrgName, PartName, PartialLines, PathGlob, RepoName, Repository, ViewName,
};
use std::{fmt, str::FromStr};
use store::Named;

/// What to do, and in which database.
#[derive(Clone, Debug, Args)]
pub struct GateArguments {
    #[command(flatten)]
    pub database: DatabaseArguments,

    #[command(subcommand)]
    pub action: GateAction,
}

/// What can be done with gates. Changes take effect on the next upload.
#[derive(Clone, Debug, Subcommand)]
pub enum GateAction {
    /// Set rules of a gate. Rules that are not named stay.
    Set(Box<SetGate>),
    /// Print the rules in force, and where each comes from.
    Show(GateOf),
    /// Remove all rules that were set with `gate set` for an org or a repository.
    Clear(GateOf),
}

/// Whose gate it is.
#[derive(Clone, Debug, Args)]
pub struct GateOf {
    /// The org. Its gate applies to all its repositories and groups.
    #[arg(long)]
    pub org: OrgName,

    /// Only this repository of the org.
    #[arg(long)]
    pub repo: Option<RepoName>,
}

impl GateOf {
    pub(super) fn named(&self) -> Named {
        let org = self.org.clone();
        match self.repo.clone() {
            Some(repo) => Named::Repository(Repository { org, repo }),
            None => Named::Org(org),
        }
    }
}

/// Rules to set.
#[derive(Clone, Debug, Args)]
pub struct SetGate {
    #[command(flatten)]
    pub of: GateOf,

    /// The minimum percentage of changed lines that are covered.
    #[arg(long, value_name = "PERCENT", value_parser = percent())]
    pub changed: Option<u8>,

    /// The minimum number of coverable changed lines: with fewer, `changed` is not applied [default: 5].
    #[arg(long, value_name = "LINES")]
    pub changed_min: Option<u64>,

    /// The maximum number of unchanged lines that were covered and no longer are.
    #[arg(long, value_name = "LINES")]
    pub lost: Option<u64>,

    /// The minimum percentage of all lines that are covered.
    #[arg(long, value_name = "PERCENT", value_parser = percent())]
    pub floor: Option<u8>,

    /// The minimum percentage of all branches that are covered.
    #[arg(long, value_name = "PERCENT", value_parser = percent())]
    pub branches_floor: Option<u8>,

    /// The minimum percentage of all functions that are covered.
    #[arg(long, value_name = "PERCENT", value_parser = percent())]
    pub functions_floor: Option<u8>,

    /// Only report, and never fail.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub evaluate: Option<bool>,

    /// Judge changed and lost lines of the main branch's records too.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub main: Option<bool>,

    /// How a partial line counts among the changed lines [default: hit].
    #[arg(long, value_parser = partial())]
    pub partial: Option<PartialLines>,

    /// A rule of the files that a pattern matches, such as 'billing/**:changed=95'. May be repeated.
    #[arg(long = "path", value_name = "PATTERN:RULE=NUMBER")]
    pub paths: Vec<ScopedRule<PathGlob>>,

    /// A rule of a part, such as e2e:floor=70. May be repeated.
    #[arg(long = "part", value_name = "PART:RULE=NUMBER")]
    pub parts: Vec<ScopedRule<PartName>>,

    /// A rule of a view, such as 'owner:@acme/payments:changed=90'. May be repeated.
    #[arg(long = "view", value_name = "VIEW:RULE=NUMBER")]
    pub views: Vec<ScopedRule<ViewName>>,
}

fn percent() -> impl TypedValueParser<Value = u8> {
    value_parser!(u8).range(0..=100)
}

fn partial() -> impl TypedValueParser<Value = PartialLines> {
    let all = [PartialLines::Hit, PartialLines::Miss];
    PossibleValuesParser::new(all.map(PartialLines::word)).map(move |word| {
        let named = all.into_iter().find(|partial| partial.word() == word);
        named.unwrap_or_default()
    })
}

impl SetGate {
    pub(super) fn rules(&self) -> GateRules {
        let all = Limits {
            changed: self.changed,
            lost: self.lost,
            floor: self.floor,
        };
        let mut rules = GateRules {
            all,
            branches_floor: self.branches_floor,
            functions_floor: self.functions_floor,
            changed_min: self.changed_min,
            evaluate: self.evaluate,
            main: self.main,
            partial: self.partial,
            ..GateRules::default()
        };
        for rule in &self.paths {
            let of = rules.paths.entry(rule.scope.clone()).or_default();
            *of = rule.limits.over(*of);
        }
        for rule in &self.parts {
            let of = rules.parts.entry(rule.scope.clone()).or_default();
            *of = rule.limits.over(*of);
        }
        for rule in &self.views {
            let of = rules.views.entry(rule.scope.clone()).or_default();
            *of = rule.limits.over(*of);
        }
        rules
    }
}

/// A rule for the files that a pattern matches, or for a part of the commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopedRule<S> {
    scope: S,
    limits: Limits,
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
