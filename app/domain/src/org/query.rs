//! The choices on an org's page; the address holds all of them.

use super::Period;
use crate::{
    Day, OrgName, StatedMetric, TrendRange,
    choice::choices,
    query::{query, with_default},
};
use std::{fmt::Display, str::FromStr};

choices! {
    /// How repositories are combined into one number.
    #[derive(Default)]
    Mean:
    /// Covered lines divided by all lines, or branches or functions: large repositories count for more.
    #[default]
    Weighted = "weighted" => "weighted by lines",
    /// The average of the repositories' percentages: each counts the same.
    Plain = "plain" => "plain average",
}

choices! {
    /// Which repositories count.
    #[derive(Default)]
    Over:
    /// Repositories with a value at both ends of the period, so that a new repository does not look like a drop.
    #[default]
    Same = "same" => "same repositories",
    /// On each day, the repositories with a value on that day.
    All = "all" => "all repositories",
}

with_default!(Mean, Over);

query! {
    /// An org or all orgs, and the choices for its page.
    #[derive(Default)]
    pub struct OrgQuery {
        (
            /// The org, with its nested groups; `None` for all orgs.
            pub org: Option<OrgName>,
        )
        /// The period, if no date is given.
        pub range: TrendRange = "range",
        /// The first day; overrides the range.
        pub from: Option<Day> = "from",
        /// The last day; today if `None`.
        pub to: Option<Day> = "to",
        /// What is counted.
        pub metric: StatedMetric = "metric",
        /// How repositories are combined.
        pub mean: Mean = "mean",
        /// Which repositories count.
        pub over: Over = "over",
    }
}

/// When an org's data begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// The day of its first record.
    pub first: Day,
    /// The day by which at least half of its present repositories had a record.
    pub half: Day,
}

impl Beginning {
    /// Computes it from the days of the first records of all repositories, and of the active ones; `None` without repositories.
    pub fn of(all: &[Day], mut active: Vec<Day>) -> Option<Self> {
        let first = *all.iter().min()?;
        active.sort_unstable();
        let middle = active.len().saturating_sub(1) / 2;
        let half = active.get(middle).copied();
        Some(Self {
            first,
            half: half.unwrap_or(first),
        })
    }
}

impl OrgQuery {
    /// Returns the query for an org with all defaults.
    pub fn new(org: OrgName) -> Self {
        Self {
            org: Some(org),
            ..Self::default()
        }
    }

    /// Returns the query for all orgs with all defaults.
    pub fn all() -> Self {
        Self::default()
    }

    /// Returns the days to show; `None` if all requested days are before the org's first record. Days before that record
    /// and days after `today` are cut off, because they have no data.
    pub fn period(&self, beginning: Beginning, today: Day) -> Option<Period> {
        let requested_to = self.to.unwrap_or(today).min(today);
        let first = beginning.first;
        let requested_from = self
            .requested_from(requested_to)
            .unwrap_or(first.min(requested_to));
        let is_followed = self.over == Over::Same && self.from.is_none();
        let is_late = is_followed && beginning.half < requested_to;
        let start = if is_late { beginning.half } else { first };
        // Swaps dates in the wrong order.
        let (from, to) = (
            requested_from.min(requested_to),
            requested_to.max(requested_from).min(today),
        );
        (to >= first).then(|| Period {
            from: from.max(start),
            to,
        })
    }

    /// Whether this period of the query begins only when half of the repositories had a record. This applies to the same repositories
    /// over a range that starts before: otherwise the earliest repositories would represent all.
    pub fn begins_with_half(&self, first: Day, period: Period) -> bool {
        let is_cut = self
            .requested_from(period.to)
            .is_none_or(|from| from < period.from);
        self.over == Over::Same && self.from.is_none() && is_cut && first < period.from
    }

    /// The first requested day; `None` for all days.
    fn requested_from(&self, to: Day) -> Option<Day> {
        self.from.or_else(|| self.range.first_day(to))
    }

    /// Reads the query from the parameters of an address; empty ones are absent. Also returns the name and the error of
    /// each invalid parameter, for which the default is used.
    pub fn read(
        org: Option<OrgName>,
        parameter: impl Fn(&str) -> Option<String>,
    ) -> (Self, Vec<(&'static str, String)>) {
        let mut wrong = Vec::new();
        let query = Self {
            range: read(&parameter, "range", &mut wrong).unwrap_or_default(),
            from: read(&parameter, "from", &mut wrong),
            to: read(&parameter, "to", &mut wrong),
            metric: read(&parameter, "metric", &mut wrong).unwrap_or_default(),
            mean: read(&parameter, "mean", &mut wrong).unwrap_or_default(),
            over: read(&parameter, "over", &mut wrong).unwrap_or_default(),
            org,
        };
        (query, wrong)
    }

    /// The label of a mean: it names what is counted.
    pub fn label_of(&self, mean: Mean) -> String {
        match mean {
            Mean::Weighted => format!("weighted by {}", self.metric),
            Mean::Plain => mean.label().to_owned(),
        }
    }

    /// Whether dates are set, which override the range.
    pub fn has_dates(&self) -> bool {
        self.from.is_some() || self.to.is_some()
    }
}

fn read<T: FromStr<Err: Display>>(
    parameter: impl Fn(&str) -> Option<String>,
    name: &'static str,
    wrong: &mut Vec<(&'static str, String)>,
) -> Option<T> {
    let text = parameter(name).filter(|text| !text.is_empty())?;
    match text.parse() {
        Ok(value) => Some(value),
        Err(error) => {
            wrong.push((name, error.to_string()));
            None
        }
    }
}
