//! The report of an org as JSON.

use crate::routes::{
    record_json::{number, points},
    views::counts::{CountsJson, NewCountsJson},
};
use domain::{
    Bounded, Day, KnownOwner, MovedRow, Moves, PeriodReport, ReportRow, Repository, RepositoryGate,
};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// The report of an org about a period.
#[derive(Serialize, ToSchema)]
#[schema(as = Report)]
pub(super) struct ReportJson {
    /// The org, in its first spelling.
    #[schema(examples("acme"))]
    org_name: String,
    /// The owner, if only files of one owner count; else `null`.
    #[schema(examples("@acme/payments"))]
    owner: Option<String>,
    /// The first day.
    #[schema(format = Date, examples("2026-10-01"))]
    from: String,
    /// The last day.
    #[schema(format = Date, examples("2026-11-28"))]
    to: String,
    /// The number of records of all branches in the period.
    records: u64,
    /// The number of repositories with a value at both ends of the period; with `owner`, in which the owner has files. `percentage`,
    /// `base_percentage` and `delta` are of these repositories.
    repositories: u64,
    /// The coverage at the end; `null` without a value.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    percentage: Option<Box<RawValue>>,
    /// The coverage at the beginning; `null` without a value.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    base_percentage: Option<Box<RawValue>>,
    /// The change of the coverage; `null` if there is nothing to compare with.
    #[schema(value_type = Option<f64>, minimum = -100, maximum = 100)]
    delta: Option<Box<RawValue>>,
    /// The covered lines of all repositories at the end; `null` if no coverage file counts lines.
    covered: Option<u64>,
    /// All lines of all repositories at the end; `null` if no coverage file counts lines.
    total: Option<u64>,
    /// The lines that are new since the first day, of all repositories in which they are known.
    new: NewCountsJson,
    /// The number of repositories in which it is not known which lines are new.
    unknown_repositories: u64,
    /// The owners, the one with the most untested new lines first; empty with `owner`.
    owners: ListJson<OwnerJson>,
    /// The repositories, the one with the most untested new lines first.
    by_repository: ListJson<RepositoryJson>,
    /// The owners with the largest changes; empty with `owner`.
    moved_owners: MovesJson,
    /// The repositories with the largest changes.
    moved_repositories: MovesJson,
    /// The repositories without an upload to the main branch in the last 14 days of the period, the newest silence first.
    silent: ListJson<SilentJson>,
    /// The gates that failed most.
    gates: ListJson<GateJson>,
    /// Why numbers are missing, one sentence each.
    notices: Vec<String>,
}

/// The first rows of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = ReportList)]
struct ListJson<T> {
    /// The first rows.
    rows: Vec<T>,
    /// How many rows there are besides.
    more: u64,
}

/// An owner with its counts.
#[derive(Serialize, ToSchema)]
#[schema(as = ReportOwner)]
struct OwnerJson {
    /// The owner as `CODEOWNERS` files name it; `none` for files without an owner; `null` for the repositories that define no owners.
    #[schema(examples("@acme/payments"))]
    owner: Option<String>,
    /// Its counts; `null` if a coverage file states no lines or lists no files.
    counts: Option<CountsJson>,
}

/// A repository with its counts.
#[derive(Serialize, ToSchema)]
#[schema(as = ReportRepository)]
struct RepositoryJson {
    /// The org.
    org_name: String,
    /// The repository.
    repo_name: String,
    /// Its counts; `null` if a coverage file states no lines or lists no files.
    counts: Option<CountsJson>,
}

/// The largest changes: first where the product of change and lines is largest.
#[derive(Serialize, ToSchema)]
#[schema(as = ReportMoves)]
struct MovesJson {
    /// The losses.
    losses: ListJson<MovedJson>,
    /// The gains.
    gains: ListJson<MovedJson>,
}

/// An owner or a repository whose percentage changed.
#[derive(Serialize, ToSchema)]
#[schema(as = ReportMoved)]
struct MovedJson {
    /// The owner, or the repository with its org; `null` for the repositories that define no owners.
    name: Option<String>,
    /// The percentage at the end.
    #[schema(value_type = f64, minimum = 0, maximum = 100)]
    percentage: Option<Box<RawValue>>,
    /// The percentage at the beginning.
    #[schema(value_type = f64, minimum = 0, maximum = 100)]
    base_percentage: Option<Box<RawValue>>,
    /// The change.
    #[schema(value_type = f64, minimum = -100, maximum = 100)]
    delta: Option<Box<RawValue>>,
    /// The lines at the end; `null` if they are not counted.
    total: Option<u64>,
}

/// A repository without uploads.
#[derive(Serialize, ToSchema)]
#[schema(as = ReportSilent)]
struct SilentJson {
    /// The org.
    org_name: String,
    /// The repository.
    repo_name: String,
    /// The day of its last upload to the main branch.
    #[schema(format = Date, examples("2026-09-01"))]
    last_upload: String,
}

/// A repository whose gate failed.
#[derive(Serialize, ToSchema)]
#[schema(as = ReportGate)]
struct GateJson {
    /// The org.
    org_name: String,
    /// The repository.
    repo_name: String,
    /// The number of records that failed, on all branches.
    failed: u64,
    /// The number of records that failed or passed.
    judged: u64,
}

impl From<PeriodReport> for ReportJson {
    fn from(report: PeriodReport) -> Self {
        let ends = report.ends;
        Self {
            org_name: report.org.to_string(),
            owner: report.owner.map(|owner| owner.name().to_owned()),
            from: report.period.from.to_string(),
            to: report.period.to.to_string(),
            records: report.records,
            repositories: ends.repositories,
            percentage: ends.end.and_then(number),
            base_percentage: ends.start.and_then(number),
            delta: ends.change.and_then(points),
            covered: ends.lines.map(|lines| lines.covered),
            total: ends.lines.map(|lines| lines.total),
            new: report.new.lines.into(),
            unknown_repositories: report.new.unknown_repositories,
            owners: ListJson::of(report.owners),
            by_repository: ListJson::of(report.repositories),
            moved_owners: MovesJson::of(report.moved_owners, |owner| {
                owner.map(|owner| owner.name().to_owned())
            }),
            moved_repositories: MovesJson::of(report.moved_repositories, |repository| {
                Some(repository.to_string())
            }),
            silent: ListJson::of(report.silent),
            gates: ListJson::of(report.gates),
            notices: report.notices.rows,
        }
    }
}

impl<J> ListJson<J> {
    fn of<T: Into<J>>(list: Bounded<T>) -> Self {
        Self {
            rows: list.rows.into_iter().map(T::into).collect(),
            more: list.more,
        }
    }
}

impl MovesJson {
    fn of<T>(moves: Moves<T>, name: impl Fn(T) -> Option<String> + Copy) -> Self {
        let list = |list: Bounded<MovedRow<T>>| ListJson {
            rows: list.rows.into_iter().map(|row| moved(row, name)).collect(),
            more: list.more,
        };
        Self {
            losses: list(moves.losses),
            gains: list(moves.gains),
        }
    }
}

fn moved<T>(row: MovedRow<T>, name: impl Fn(T) -> Option<String>) -> MovedJson {
    MovedJson {
        percentage: number(row.end),
        base_percentage: number(row.start),
        delta: points(row.change()),
        total: row.lines.map(|lines| lines.total),
        name: name(row.of),
    }
}

impl From<ReportRow<KnownOwner>> for OwnerJson {
    fn from(row: ReportRow<KnownOwner>) -> Self {
        Self {
            owner: row.of.map(|owner| owner.name().to_owned()),
            counts: row.counts.map(CountsJson::from),
        }
    }
}

impl From<ReportRow<Repository>> for RepositoryJson {
    fn from(row: ReportRow<Repository>) -> Self {
        Self {
            org_name: row.of.org.to_string(),
            repo_name: row.of.repo.to_string(),
            counts: row.counts.map(CountsJson::from),
        }
    }
}

impl From<(Repository, Day)> for SilentJson {
    fn from((repository, last): (Repository, Day)) -> Self {
        Self {
            org_name: repository.org.to_string(),
            repo_name: repository.repo.to_string(),
            last_upload: last.to_string(),
        }
    }
}

impl From<RepositoryGate> for GateJson {
    fn from(gate: RepositoryGate) -> Self {
        Self {
            org_name: gate.repository.org.to_string(),
            repo_name: gate.repository.repo.to_string(),
            failed: gate.failed,
            judged: gate.judged,
        }
    }
}
