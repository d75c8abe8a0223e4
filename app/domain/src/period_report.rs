//! The report of an org, or of an owner in it, about a period: what came, what moved, what is silent, and which gates failed.

mod moves;
mod query;
mod throughout;

use crate::{
    Change, Count, Day, FileSum, Mean, NewCount, OrgHistory, OrgName, OrgOwners, OrgPoint,
    OrgQuery, OrgReport, Over, OwnedRepository, OwnerRow, Percentage, Period, Repository,
    Timestamp, ViewCounts, ViewName,
};
use std::{cmp::Reverse, collections::BTreeMap};

pub use moves::{MovedRow, Moves};
pub use query::{ReportPeriodError, ReportQuery};
use throughout::{first_days, is_comparable, since_half};

/// The most rows of a list, so that the printed report has two pages.
const ROWS: usize = 10;

/// The first rows of a list, and the number of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounded<T> {
    /// The first rows.
    pub rows: Vec<T>,
    /// The number of rows that are not in `rows`.
    pub more: u64,
}

impl<T> Bounded<T> {
    fn of(mut rows: Vec<T>, most: usize) -> Self {
        let more = rows.len().saturating_sub(most) as u64;
        rows.truncate(most);
        Self { rows, more }
    }
}

/// An owner or a repository, with its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRow<T> {
    /// The owner, or the repository.
    pub of: T,
    /// Its counts; `None` if a coverage file states no lines or lists no files.
    pub counts: Option<ViewCounts>,
}

impl<T> ReportRow<T> {
    /// Its new lines; `None` if they are unknown.
    pub fn new_lines(&self) -> Option<NewCount> {
        self.counts?.new
    }
}

/// An owner; `None` for the repositories whose owners are not known.
pub type KnownOwner = Option<ViewName>;

/// How often the gate of a repository failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryGate {
    /// The repository.
    pub repository: Repository,
    /// The number of records that failed.
    pub failed: u64,
    /// The number of records that failed or passed.
    pub judged: u64,
}

/// The records of a repository in a period, on all branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordsInPeriod {
    /// The number of records.
    pub records: u64,
    /// Its gate.
    pub gate: RepositoryGate,
}

/// The coverage at both ends of the period, of the repositories that have both, and at the end of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportEnds {
    /// The coverage at the beginning.
    pub start: Option<Percentage>,
    /// The coverage at the end, of the same repositories.
    pub end: Option<Percentage>,
    /// From the beginning to the end.
    pub change: Option<Change>,
    /// The number of repositories with both.
    pub repositories: u64,
    /// The lines of all repositories at the end: their share is the coverage of the org, as every page states it.
    pub lines: Option<Count>,
}

/// The sum of what is new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportNew {
    /// The new lines of all repositories for which they are known.
    pub lines: NewCount,
    /// The number of repositories for which they are not known.
    pub unknown_repositories: u64,
}

/// What a report is computed from.
#[derive(Clone, Debug)]
pub struct ReportSources {
    /// The days.
    pub period: Period,
    /// The repositories from the day before the first day to the last day.
    pub history: OrgHistory,
    /// The owners and repositories, with the lines that are new since the first day.
    pub owners: Option<OrgOwners>,
    /// The records of all branches, the repository with the most failures first.
    pub records: Vec<RecordsInPeriod>,
}

/// The report of an org about a period. Each list has the most important rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeriodReport {
    /// The org, with its groups.
    pub org: OrgName,
    /// The only owner whose files and repositories count; `None` for all.
    pub owner: Option<ViewName>,
    /// When it was read.
    pub now: Timestamp,
    /// The days.
    pub period: Period,
    /// The number of records in the period, on all branches.
    pub records: u64,
    /// The coverage at both ends.
    pub ends: ReportEnds,
    /// The repositories that have a value on the first day of its period and at the end: the day before the period, or the day by
    /// which half of the repositories had a record; and the others. `None` in the report of an owner.
    pub compared: Option<OrgReport>,
    /// What the change of the org is about: the ends of `compared`; `None` if too few lines can be compared.
    pub throughout: Option<ReportEnds>,
    /// The uploads of all branches that passed their gate, of those that passed or failed.
    pub judged: Count,
    /// The coverage of all repositories over time, oldest first; empty in the report of an owner.
    pub trend: Vec<OrgPoint>,
    /// The repositories whose first record came in the period, with its day.
    pub came: BTreeMap<Repository, Day>,
    /// What is new.
    pub new: ReportNew,
    /// The owners, most untested new lines first; empty in the report of an owner.
    pub owners: Bounded<ReportRow<KnownOwner>>,
    /// The repositories, most untested new lines first.
    pub repositories: Bounded<ReportRow<Repository>>,
    /// The owners with the largest changes; empty in the report of an owner.
    pub moved_owners: Moves<KnownOwner>,
    /// The repositories with the largest changes.
    pub moved_repositories: Moves<Repository>,
    /// The repositories without an upload to the main branch in the last 14 days, with the day of the last one; the latest day
    /// first.
    pub silent: Bounded<(Repository, Day)>,
    /// The gates that failed most.
    pub gates: Bounded<RepositoryGate>,
    /// Why numbers are missing, one sentence each.
    pub notices: Bounded<String>,
}

impl PeriodReport {
    /// Computes the report; only of an owner, if one is given. `None` if no repository has this owner.
    pub fn of(parts: ReportSources, owner: Option<&str>) -> Option<Self> {
        let ReportSources {
            period,
            history,
            owners,
            records,
        } = parts;
        let org = history.org.clone()?;
        let mut owners = owners.unwrap_or(OrgOwners::empty(history.now));
        // The first record of a repository may be later than the period.
        let has_files = |row: &OwnedRepository| {
            row.counts
                .is_none_or(|counts| counts.now != FileSum::default())
        };
        owners.by_repository.retain(has_files);
        let notices = Bounded::of(owners.notices, ROWS);
        let (whole, all) = (whole(&history), all(&history));
        let one = match owner {
            Some(owner) => {
                let mut rows = owners.owners.iter();
                let is_named = |row: &&OwnerRow| row.owner.name().eq_ignore_ascii_case(owner);
                Some(rows.find(is_named)?.clone())
            }
            None => None,
        };
        let has = |repository: &Repository| {
            let one = one.as_ref();
            one.is_none_or(|one| one.repositories.iter().any(|(own, _)| own == repository))
        };
        let silent = all.iter().flat_map(|all| &all.movements);
        let silent = silent.filter(|row| row.is_stale && has(&row.repository));
        let mut silent: Vec<_> = silent
            .filter_map(|row| Some((row.repository.clone(), row.last?)))
            .collect();
        silent.sort_by_key(|(_, last)| Reverse(*last));
        let records: Vec<_> = records
            .into_iter()
            .filter(|of| has(&of.gate.repository))
            .collect();
        let mut report = Self {
            org,
            owner: one.as_ref().map(|one| one.owner.clone()),
            now: history.now,
            period,
            records: records.iter().map(|of| of.records).sum(),
            ends: ReportEnds::default(),
            compared: None,
            throughout: None,
            judged: judged(&records),
            trend: Vec::new(),
            came: came(&history, period, has),
            new: ReportNew::default(),
            owners: Bounded::of(Vec::new(), ROWS),
            repositories: Bounded::of(Vec::new(), ROWS),
            moved_owners: Moves::default(),
            moved_repositories: Moves::default(),
            silent: Bounded::of(silent, ROWS),
            gates: Bounded::of(failed(records), ROWS),
            notices,
        };
        let repositories: Vec<_> = match one {
            Some(one) => {
                report.ends = ends_of_owner(&one);
                let rows = one.repositories.into_iter();
                let rows = rows.map(|(of, counts)| ReportRow {
                    of,
                    counts: Some(counts),
                });
                let rows: Vec<_> = rows.collect();
                report.moved_repositories = Moves::of(rows.iter().filter_map(MovedRow::of_counts));
                rows
            }
            None => {
                // A shorter period begins with the first record: no repository has a value at the beginning.
                let from_start = |same: &&OrgReport| {
                    same.period.from < period.from && is_comparable(same, all.as_ref())
                };
                let same = whole.as_ref().filter(from_start);
                report.ends = ends(same, all.as_ref());
                let since_half = match same {
                    Some(_) => None,
                    None => since_half(history, all.as_ref()),
                };
                let has_few = same.is_none() && since_half.is_none();
                report.compared = since_half.or_else(|| whole.clone());
                let compared = report.compared.as_ref().filter(|_| !has_few);
                report.throughout = compared.map(|same| ends(Some(same), all.as_ref()));
                report.trend = all.map_or(Vec::new(), |all| all.points);
                let rows = groups(owners.owners, &owners.by_repository);
                report.moved_owners = Moves::of(rows.iter().filter_map(MovedRow::of_counts));
                report.owners = Bounded::of(by_untested(rows), ROWS);
                let rows = owners.by_repository.into_iter();
                let rows = rows.map(|row| ReportRow {
                    of: row.repository,
                    counts: row.counts,
                });
                let rows: Vec<_> = rows.collect();
                let movements = whole.iter().flat_map(|whole| &whole.movements);
                report.moved_repositories = Moves::of_repositories(&rows, movements);
                rows
            }
        };
        for row in &repositories {
            match row.new_lines() {
                Some(new) => report.new.lines = report.new.lines.plus(new),
                None => report.new.unknown_repositories += 1,
            }
        }
        report.repositories = Bounded::of(by_untested(repositories), ROWS);
        Some(report)
    }

    /// Whether there was a record in the period, or a repository is silent.
    pub fn has_news(&self) -> bool {
        self.records > 0 || !self.silent.rows.is_empty()
    }
}

fn came(
    history: &OrgHistory,
    period: Period,
    has: impl Fn(&Repository) -> bool,
) -> BTreeMap<Repository, Day> {
    let came = first_days(history.series.iter()).into_iter();
    let came = came.filter(|(of, day)| period.from <= *day && *day <= period.to && has(of));
    came.map(|(of, day)| (of.clone(), day)).collect()
}

/// The org's numbers over the repositories that have a value at both ends.
fn whole(history: &OrgHistory) -> Option<OrgReport> {
    numbers(history, Over::Same)
}

/// The org's numbers over all repositories.
fn all(history: &OrgHistory) -> Option<OrgReport> {
    numbers(history, Over::All)
}

fn numbers(history: &OrgHistory, over: Over) -> Option<OrgReport> {
    let query = OrgQuery {
        org: history.org.clone(),
        mean: Mean::Weighted,
        over,
        ..OrgQuery::default()
    };
    OrgReport::of(history, &query, Percentage::from_basis_points(0))
}

fn ends(same: Option<&OrgReport>, all: Option<&OrgReport>) -> ReportEnds {
    let first = same.and_then(|same| same.points.first());
    let last = same.and_then(OrgReport::last);
    let change = same.and_then(|same| same.change);
    ReportEnds {
        start: first.and_then(|first| first.coverage.filter(|_| change.is_some())),
        end: last.and_then(|last| last.coverage),
        change,
        repositories: last.map_or(0, |last| last.repositories.into()),
        lines: all.and_then(|all| all.whole.lines),
    }
}

fn ends_of_owner(row: &OwnerRow) -> ReportEnds {
    ReportEnds {
        start: row.counts.before.and_then(Percentage::of),
        end: row.counts.percentage(),
        change: row.counts.delta(),
        repositories: row.repositories.len() as u64,
        lines: Some(row.counts.now.lines),
    }
}

/// The owners, and the sum of the repositories whose owners are not known.
fn groups(owners: Vec<OwnerRow>, all: &[OwnedRepository]) -> Vec<ReportRow<KnownOwner>> {
    let rows = owners.into_iter().map(|row| ReportRow {
        of: Some(row.owner),
        counts: Some(row.counts),
    });
    let mut rows: Vec<_> = rows.collect();
    let others = OwnedRepository::without_owners(all);
    rows.extend(others.map(|counts| ReportRow { of: None, counts }));
    rows
}

/// The rows with the most untested new lines first; unknown ones last.
fn by_untested<T>(mut rows: Vec<ReportRow<T>>) -> Vec<ReportRow<T>> {
    rows.sort_by_key(|row| {
        Reverse(
            row.new_lines()
                .map(|new| (new.lines.uncovered(), new.unknown)),
        )
    });
    rows
}

fn judged(records: &[RecordsInPeriod]) -> Count {
    let judged: u64 = records.iter().map(|of| of.gate.judged).sum();
    let failed: u64 = records.iter().map(|of| of.gate.failed).sum();
    Count {
        covered: judged - failed.min(judged),
        total: judged,
    }
}

fn failed(records: Vec<RecordsInPeriod>) -> Vec<RepositoryGate> {
    let gates = records.into_iter().map(|of| of.gate);
    gates.filter(|gate| gate.failed > 0).collect()
}
