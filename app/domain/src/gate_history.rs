//! How many changed lines of pull requests are covered, and how many gates pass, by week or month.

#[cfg(test)]
mod tests;

use crate::{
    Bounded, BranchName, Count, Day, Language, OrgName, Percentage, Period, PullRequest, RepoName,
    Repository, Timestamp, Verdict,
    choice::choices,
    query::{query, with_default},
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

choices! {
    /// The length of the intervals of a history of gates.
    #[derive(Default)]
    GateInterval:
    /// From Monday to Sunday.
    #[default]
    Week = "week" => "by week",
    /// A month of the calendar.
    Month = "month" => "by month",
}

with_default!(GateInterval);

query! {
    /// The choices of a history of gates.
    #[derive(Default)]
    pub struct GatesQuery {
        /// The org, with its groups; all orgs if `None`.
        pub org: Option<OrgName> = "org_name",
        /// Only this repository of the org.
        pub repo: Option<RepoName> = "repo_name",
        /// The length of the intervals.
        pub by: GateInterval = "by",
        /// The first day; three months or a year before the last day if `None`.
        pub from: Option<Day> = "from",
        /// The last day; today if `None`.
        pub to: Option<Day> = "to",
    }
}

/// The newest record of a pull request in one language, in one interval.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct GateResult {
    /// The repository.
    #[cfg_attr(feature = "sql", sqlx(flatten))]
    pub repository: Repository,
    /// The pull request.
    pub pull_request: PullRequest,
    /// The branch of the record.
    pub branch: BranchName,
    /// The language.
    pub language: Language,
    /// The record.
    pub record_id: i64,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// The verdict when it was last uploaded; `None` without a gate.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::IfReadable<Verdict>"))]
    pub verdict: Option<Verdict>,
    /// In a list: why the gate failed, by the rules of now and the stored numbers.
    #[cfg_attr(feature = "sql", sqlx(skip))]
    pub reasons: Vec<String>,
    /// Its changed lines; `None` if they are not known.
    #[cfg_attr(feature = "sql", sqlx(flatten, try_from = "crate::sql::LineColumns"))]
    pub changed: Option<Count>,
}

/// The most pull requests that are listed.
const LISTED: usize = 100;

/// The results of several pull requests. Each counts once in each language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GateCounts {
    /// All results.
    pub results: u64,
    /// Gates that passed.
    pub passed: u64,
    /// Gates that failed.
    pub failed: u64,
    /// Gates of which no rule could be judged.
    pub unknown: u64,
    /// Gates that wait for parts.
    pub incomplete: u64,
    /// Results without a gate.
    pub without: u64,
    /// The changed lines that are known.
    pub changed: Count,
    /// Results whose changed lines are not known.
    pub changes_unknown: u64,
}

/// The results of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateRow {
    /// Its days, as far as they are in the period.
    pub days: Period,
    /// The number of repositories with results.
    pub repositories: u32,
    /// The results.
    pub counts: GateCounts,
}

/// The results of pull requests over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateHistory {
    /// The org, or the org of the repository; `None` for all.
    pub org: Option<OrgName>,
    /// The repository, if it is about one.
    pub repository: Option<Repository>,
    /// When it was read.
    pub today: Day,
    /// The days.
    pub period: Period,
    /// All intervals of the period, the oldest first.
    pub rows: Vec<GateRow>,
    /// The results of the repositories, the lowest share of passed gates first.
    pub repositories: Vec<(Repository, GateCounts)>,
    /// The newest result of each pull request and language, the newest first.
    pub pulls: Bounded<GateResult>,
    /// Whether there were more results than are read: then the period begins after those.
    pub is_cut: bool,
}

impl GateCounts {
    /// The gates that passed, of those that passed or failed.
    pub fn judged(&self) -> Count {
        Count {
            covered: self.passed,
            total: self.passed + self.failed,
        }
    }

    fn add(&mut self, result: &GateResult) {
        self.results += 1;
        *match result.verdict {
            Some(Verdict::Passed) => &mut self.passed,
            Some(Verdict::Failed) => &mut self.failed,
            Some(Verdict::Unknown) => &mut self.unknown,
            Some(Verdict::Incomplete) => &mut self.incomplete,
            None => &mut self.without,
        } += 1;
        match result.changed {
            Some(changed) => {
                self.changed.covered += changed.covered;
                self.changed.total += changed.total;
            }
            None => self.changes_unknown += 1,
        }
    }
}

impl GateInterval {
    /// The first day of the interval that contains a day.
    fn start(self, day: Day) -> Day {
        match self {
            Self::Week => day.last_weekday(0),
            Self::Month => day.month(),
        }
    }

    /// The last day of the interval that contains a day.
    fn end(self, day: Day) -> Day {
        let start = self.start(day);
        match self {
            Self::Week => Day(start.0 + 6),
            // The next month begins within 31 days.
            Self::Month => Day(start.0 + 31).month().days_before(1),
        }
    }
}

impl GatesQuery {
    /// The most days of a period.
    pub const MAX_DAYS: i32 = 366;

    /// The days of the history. Days in the future or too long ago are left out.
    pub fn period(&self, today: Day) -> Period {
        let to = self.to.unwrap_or(today).min(today);
        let usual = match self.by {
            GateInterval::Week => to.months_before(3),
            GateInterval::Month => to.months_before(12),
        };
        let from = self.from.unwrap_or(usual).min(to);
        let from = from.max(to.days_before(Self::MAX_DAYS));
        Period { from, to }
    }
}

impl GateHistory {
    /// Counts results, the newest first. Of each pull request and language, only the newest result of an interval counts. If the
    /// results are cut, the intervals that may lack some are left out.
    pub fn of(query: &GatesQuery, period: Period, results: &[GateResult], is_cut: bool) -> Self {
        let oldest = results.last().filter(|_| is_cut);
        let from = oldest.map(|oldest| query.by.end(Day::of(oldest.updated_at)));
        let from = from.map_or(period.from, |last| Day(last.0 + 1));
        let period = Period {
            from: from.min(period.to),
            ..period
        };
        let (mut known, mut rows) = (HashSet::new(), BTreeMap::new());
        let (mut listed, mut pulls) = (HashSet::new(), Vec::new());
        let mut day = query.by.start(period.from);
        while day <= period.to {
            rows.insert(day, (BTreeSet::new(), GateCounts::default()));
            day = Day(query.by.end(day).0 + 1);
        }
        let mut repositories: BTreeMap<&Repository, GateCounts> = BTreeMap::new();
        for result in results {
            let start = query.by.start(Day::of(result.updated_at));
            let Some((named, counts)) = rows.get_mut(&start) else {
                continue;
            };
            let key = (&result.repository, &result.pull_request, &result.language);
            if listed.insert(key) {
                pulls.push(result);
            }
            if known.insert((start, key)) {
                named.insert(&result.repository);
                counts.add(result);
                repositories
                    .entry(&result.repository)
                    .or_default()
                    .add(result);
            }
        }
        let rows = rows.into_iter().map(|(from, (named, counts))| GateRow {
            days: Period {
                from: from.max(period.from),
                to: query.by.end(from).min(period.to),
            },
            repositories: u32::try_from(named.len()).unwrap_or(u32::MAX),
            counts,
        });
        let repositories = repositories.into_iter();
        let mut repositories: Vec<_> = repositories
            .map(|(repository, counts)| (repository.clone(), counts))
            .collect();
        // Repositories without a judged gate come last.
        repositories.sort_by_key(|(_, counts)| {
            Percentage::of(counts.judged()).map_or(u16::MAX, Percentage::basis_points)
        });
        Self {
            org: query.org.clone(),
            repository: None,
            today: period.to,
            period,
            rows: rows.collect(),
            repositories,
            pulls: Bounded {
                more: pulls.len().saturating_sub(LISTED) as u64,
                rows: pulls.into_iter().take(LISTED).cloned().collect(),
            },
            is_cut,
        }
    }
}
