//! `GET /coverages-api/orgs/trend.csv`, `groups.csv` and `movements.csv`: the tables of the page of an org or of all orgs as
//! files, with the page's parameters.

use super::readable::Readable;
use super::{
    etag::revalidated,
    openapi::{
        names,
        refusals::{IfNoneMatch, Read, WithoutTable},
    },
    parameters::{Query, parameters},
    record_json::plain,
};
use crate::{
    history::csv::{Cell, Column, covered, csv, text, total},
    http::error::ApiError,
};
use axum::{
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use domain::{
    Change, Day, GroupRow, Mean, Movement, OrgName, OrgPoint, OrgQuery, OrgReport, Over, Period,
    State, StatedMetric, TrendRange,
};
use store::OrgDays;
use utoipa::IntoResponses;

/// The most characters in a file name that are the name of an org or a repository. These names have only ASCII.
const MAX_NAME: usize = 80;

parameters! {
    /// The parameters of all tables, as on the page.
    struct TableParameters {
        // The org, including its nested groups; by default all orgs.
        #[schema(names::optional::<names::OrgName>())]
        org_name: Option<OrgName>,
        range: Option<TrendRange>,
        #[schema(names::from())]
        from: Option<Day>,
        #[schema(names::to())]
        to: Option<Day>,
        metric: Option<StatedMetric>,
        mean: Option<Mean>,
        over: Option<Over>,
    }
}

impl From<TableParameters> for OrgQuery {
    fn from(parameters: TableParameters) -> Self {
        Self {
            org: parameters.org_name,
            range: parameters.range.unwrap_or_default(),
            from: parameters.from,
            to: parameters.to,
            metric: parameters.metric.unwrap_or_default(),
            mean: parameters.mean.unwrap_or_default(),
            over: parameters.over.unwrap_or_default(),
        }
    }
}

/// A table as a file.
#[derive(IntoResponses)]
#[response(
    status = 200,
    description = "The table, with the names of its columns in the first line.",
    content_type = "text/csv",
    headers(("Content-Disposition" = String, description = "The suggested file name."))
)]
pub(super) struct Table(#[expect(dead_code, reason = "only its type is read")] String);

/// The trend of an org or of all orgs as a table
///
/// It has a row for each day of the period, also where the chart of the page has fewer points. The columns are `day`,
/// `percentage`, `lines_covered`, `lines_total` and `repositories`. With another metric than lines, two columns are named after
/// it, such as `branches_covered`.
#[utoipa::path(
    get,
    path = "/coverages-api/orgs/trend.csv",
    operation_id = "orgTrend",
    tag = "records",
    params(TableParameters, IfNoneMatch),
    responses(Table, Read<WithoutTable>)
)]
pub(super) async fn trend(
    Readable { reader, .. }: Readable,
    Query(of): Query<TableParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let query = OrgQuery::from(of);
    let OrgDays {
        org,
        period,
        points,
    } = reader.org_days(&query).await?.ok_or_else(nothing)?;
    let table = csv(&named(query.metric, TREND), &points);
    answer(&headers, org.as_ref(), period, "trend", table)
}

/// The groups of an org, or all orgs, as a table
///
/// Without `org_name`, it has a row for each org at the top; if only one exists, for each of its groups. Each row includes
/// nested groups. The columns are `org_name`, `percentage_at_start`, `percentage_at_end` and `change` of the repositories that
/// count; `percentage`, `lines_covered` and `lines_total` of all at the end; `repositories` (in the period), `with_value` (at its
/// end), and of the latter `on_target` (the target of the service) and `stale` (no upload for 14 days). With another metric than
/// lines, two columns are named after it, such as `branches_covered`.
#[utoipa::path(
    get,
    path = "/coverages-api/orgs/groups.csv",
    operation_id = "orgGroups",
    tag = "records",
    params(TableParameters, IfNoneMatch),
    responses(Table, Read<WithoutTable>)
)]
pub(super) async fn groups(
    state: Readable,
    Query(of): Query<TableParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let query = OrgQuery::from(of);
    let history = state.reader.org_groups(&query, state.target.0);
    let history = history.await?.ok_or_else(nothing)?;
    let report = OrgReport::of(&history, &query, state.target.0).ok_or_else(nothing)?;
    let table = csv(&named(query.metric, GROUPS), &report.groups);
    answer(
        &headers,
        history.org.as_ref(),
        report.period,
        "groups",
        table,
    )
}

/// The movements of the repositories as a table
///
/// The columns are `org_name`, `repo_name`, `state` (`kept`, `new`, `gone` or `without_lines`), `percentage_at_start`,
/// `percentage_at_end`, `change`, `contribution`, `lines_covered`, `lines_total` and `last_upload`. With another metric than
/// lines, two columns and one state are named after it, such as `branches_covered` and `without_branches`.
#[utoipa::path(
    get,
    path = "/coverages-api/orgs/movements.csv",
    operation_id = "orgMovements",
    tag = "records",
    params(TableParameters, IfNoneMatch),
    responses(Table, Read<WithoutTable>)
)]
pub(super) async fn movements(
    state: Readable,
    Query(of): Query<TableParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let query = OrgQuery::from(of);
    let history = state.reader.org(&query).await?.ok_or_else(nothing)?;
    let report = OrgReport::of(&history, &query, state.target.0).ok_or_else(nothing)?;
    let mut columns = named(query.metric, MOVEMENTS);
    let state: fn(&Movement) -> Cell = match query.metric {
        StatedMetric::Lines => |row| state_of(row, "without_lines"),
        StatedMetric::Branches => |row| state_of(row, "without_branches"),
        StatedMetric::Functions => |row| state_of(row, "without_functions"),
    };
    columns.insert(STATE, ("state", state));
    let table = csv(&columns, &report.movements);
    answer(
        &headers,
        history.org.as_ref(),
        report.period,
        "movements",
        table,
    )
}

fn nothing() -> ApiError {
    ApiError::not_found(
        "No coverage was uploaded in this period; choose a longer period, or check org_name.",
    )
}

fn answer(
    headers: &HeaderMap,
    org: Option<&OrgName>,
    Period { from, to }: Period,
    what: &str,
    table: csv::Result<Vec<u8>>,
) -> Result<Response, ApiError> {
    let org = org.map_or("all-orgs", OrgName::as_str);
    file(headers, org, &format!("{what}_{from}_{to}"), table)
}

/// Answers with a table as a file. `of` is an org or a repository, whose name begins the name of the file.
pub(super) fn file(
    headers: &HeaderMap,
    of: &str,
    what: &str,
    table: csv::Result<Vec<u8>>,
) -> Result<Response, ApiError> {
    let table = table.map_err(|error| ApiError::unavailable(&error))?;
    let name = of.replace('/', "-");
    let name = name.get(..MAX_NAME).unwrap_or(&name);
    let disposition = format!("attachment; filename=\"{name}_{what}.csv\"");
    let mut response = revalidated(headers, "text/csv; charset=utf-8", table);
    // Names of orgs and repositories have only characters that are valid in headers.
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        response
            .headers_mut()
            .insert(header::CONTENT_DISPOSITION, disposition);
    }
    Ok(response)
}

const TREND: &[Column<OrgPoint>] = &[
    ("day", |point| Cell::own(Some(point.day))),
    ("percentage", |point| Cell::own(point.coverage)),
    ("lines_covered", |point| covered(point.lines)),
    ("lines_total", |point| total(point.lines)),
    ("repositories", |point| Cell::own(Some(point.repositories))),
];

const GROUPS: &[Column<GroupRow>] = &[
    ("org_name", |row| text(row.org.as_str())),
    ("percentage_at_start", |row| {
        Cell::own(row.points.first().and_then(|point| point.coverage))
    }),
    ("percentage_at_end", |row| {
        Cell::own(row.points.last().and_then(|point| point.coverage))
    }),
    ("change", |row| signed(row.change)),
    ("percentage", |row| Cell::own(row.whole.coverage)),
    ("lines_covered", |row| covered(row.whole.lines)),
    ("lines_total", |row| total(row.whole.lines)),
    ("repositories", |row| Cell::own(Some(row.counts.in_period))),
    ("with_value", |row| Cell::own(Some(row.counts.at_end))),
    ("on_target", |row| Cell::own(Some(row.counts.on_target))),
    ("stale", |row| Cell::own(Some(row.counts.stale))),
];

/// The place of the column `state` among [`MOVEMENTS`].
const STATE: usize = 2;

const MOVEMENTS: &[Column<Movement>] = &[
    ("org_name", |row| text(row.repository.org.as_str())),
    ("repo_name", |row| text(row.repository.repo.as_str())),
    ("percentage_at_start", |row| Cell::own(row.start)),
    ("percentage_at_end", |row| Cell::own(row.end)),
    ("change", |row| signed(row.change)),
    ("contribution", |row| signed(row.contribution)),
    ("lines_covered", |row| covered(row.lines)),
    ("lines_total", |row| total(row.lines)),
    ("last_upload", |row| Cell::own(row.last)),
];

fn state_of(row: &Movement, without_counts: &'static str) -> Cell<'static> {
    Cell::own(Some(match row.state {
        State::Kept => "kept",
        State::New => "new",
        State::Gone => "gone",
        State::Unweighted => without_counts,
    }))
}

/// The columns with the names of a metric.
fn named<Row>(metric: StatedMetric, columns: &[Column<Row>]) -> Vec<Column<Row>> {
    let named = columns.iter().map(|&(name, cell)| match (name, metric) {
        ("lines_covered", StatedMetric::Branches) => ("branches_covered", cell),
        ("lines_total", StatedMetric::Branches) => ("branches_total", cell),
        ("lines_covered", StatedMetric::Functions) => ("functions_covered", cell),
        ("lines_total", StatedMetric::Functions) => ("functions_total", cell),
        _ => (name, cell),
    });
    named.collect()
}

fn signed<'a>(change: Option<Change>) -> Cell<'a> {
    Cell::own(change.map(plain))
}
