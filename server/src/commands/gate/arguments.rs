//! The arguments of `coverage-dashboard gate`.

use crate::commands::database::DatabaseArguments;
use clap::{
    Args, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
    value_parser,
};
use domain::{
    GateRules, Limits, OrgName, PartName, PartialLines, PathGlob, RepoName, Repository, ScopedRule,
    ViewName,
};
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
        ScopedRule::put(&mut rules.paths, &self.paths);
        ScopedRule::put(&mut rules.parts, &self.parts);
        ScopedRule::put(&mut rules.views, &self.views);
        rules
    }
}
