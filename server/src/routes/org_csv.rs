//! `GET /coverages-api/orgs/trend.csv`, `groups.csv` and `movements.csv`: the tables of the page of an org or of all orgs as
//! files, with the page's parameters.

use super::readable::Readable;
use super::{
    etag::revalidated,
    openapi::{
        names,
        refusals::{IfNoneMatch, Read, WithoutTable},
    },
    parameters::{Described, parameters},
};
use crate::{
    history::csv::{Cell, csv},
    http::{error::ApiError, security::NOSNIFF},
};
use axum::{
    extract::RawQuery,
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use domain::{
    Change, Day, GroupRow, Mean, Movement, OrgHistory, OrgName, OrgPoint, OrgQuery, OrgReport,
    Over, Percentage, Period, State, TrendRange,
};
use store::Reader;

/// The most characters of an org's name in a file name.
const MAX_NAME: usize = 80;

parameters! {
    /// The parameters of all tables, as on the page.
    struct TableParameters {
        /// The org, including its nested groups; by default all orgs.
        #[param(schema_with = names::some_org)]
        org_name: Option<OrgName>,
        #[param(schema_with = names::range)]
        range: Option<TrendRange>,
        #[param(schema_with = names::from)]
        from: Option<Day>,
        #[param(schema_with = names::to)]
        to: Option<Day>,
        #[param(schema_with = names::mean)]
        mean: Option<Mean>,
        #[param(schema_with = names::over)]
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
            mean: parameters.mean.unwrap_or_default(),
            over: parameters.over.unwrap_or_default(),
        }
    }
}

/// The trend of an org or of all orgs as a table
///
/// It has a row for each day of the period, also where the chart of the page has fewer points. The columns are `day`, `percentage`, `lines_covered`, `lines_total` and `repositories`.
#[utoipa::path(
    get,
    path = "/coverages-api/orgs/trend.csv",
    operation_id = "orgTrend",
    tag = "records",
    params(TableParameters, IfNoneMatch),
    responses(
        (
            status = 200,
            description = "A row for each day.",
            body = String,
            content_type = "text/csv",
            headers(("Content-Disposition" = String, description = "The suggested file name."))
        ),
        Read<WithoutTable>
    )
)]
pub(super) async fn trend(
    Readable { reader, .. }: Readable,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let query = OrgQuery::from(TableParameters::of(query.as_deref())?);
    let (history, points) = reader.org_days(&query).await?.ok_or_else(nothing)?;
    let period = history.period.ok_or_else(nothing)?;
    let columns = [
        "day",
        "percentage",
        "lines_covered",
        "lines_total",
        "repositories",
    ];
    let table = csv(columns, points.iter().map(point));
    answer(&headers, &history, period, "trend", table)
}

/// The groups of an org, or all orgs, as a table
///
/// Without `org_name`, it has a row for each org at the top; if only one exists, for each of its groups. Each row includes
/// nested groups. The columns are `org_name`, `percentage_at_start`, `percentage_at_end`, `change`, `lines_covered`,
/// `lines_total`, `repositories` (in the period), `with_value` (at its end), and of the latter `on_target` (the target of the
/// service) and `stale` (no upload for 14 days).
#[utoipa::path(
    get,
    path = "/coverages-api/orgs/groups.csv",
    operation_id = "orgGroups",
    tag = "records",
    params(TableParameters, IfNoneMatch),
    responses(
        (
            status = 200,
            description = "A row for each group or org.",
            body = String,
            content_type = "text/csv",
            headers(("Content-Disposition" = String, description = "The suggested file name."))
        ),
        Read<WithoutTable>
    )
)]
pub(super) async fn groups(
    state: Readable,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (history, report) = report(&state.reader, query.as_deref(), state.target.0).await?;
    let columns = [
        "org_name",
        "percentage_at_start",
        "percentage_at_end",
        "change",
        "lines_covered",
        "lines_total",
        "repositories",
        "with_value",
        "on_target",
        "stale",
    ];
    let table = csv(columns, report.groups.iter().map(group));
    answer(&headers, &history, report.period, "groups", table)
}

/// The movements of the repositories as a table
///
/// The columns are `org_name`, `repo_name`, `state` (`kept`, `new`, `gone` or `without_lines`), `percentage_at_start`,
/// `percentage_at_end`, `change`, `contribution`, `lines_covered`, `lines_total` and `last_upload`.
#[utoipa::path(
    get,
    path = "/coverages-api/orgs/movements.csv",
    operation_id = "orgMovements",
    tag = "records",
    params(TableParameters, IfNoneMatch),
    responses(
        (
            status = 200,
            description = "A row for each repository.",
            body = String,
            content_type = "text/csv",
            headers(("Content-Disposition" = String, description = "The suggested file name."))
        ),
        Read<WithoutTable>
    )
)]
pub(super) async fn movements(
    state: Readable,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (history, report) = report(&state.reader, query.as_deref(), state.target.0).await?;
    let columns = [
        "org_name",
        "repo_name",
        "state",
        "percentage_at_start",
        "percentage_at_end",
        "change",
        "contribution",
        "lines_covered",
        "lines_total",
        "last_upload",
    ];
    let table = csv(columns, report.movements.iter().map(movement));
    answer(&headers, &history, report.period, "movements", table)
}

async fn report(
    reader: &Reader,
    query: Option<&str>,
    target: Percentage,
) -> Result<(OrgHistory, OrgReport), ApiError> {
    let query = OrgQuery::from(TableParameters::of(query)?);
    let history = reader.org(&query).await?.ok_or_else(nothing)?;
    let report = OrgReport::of(&history, &query, target).ok_or_else(nothing)?;
    Ok((history, report))
}

fn nothing() -> ApiError {
    ApiError::not_found(
        "No coverage was uploaded in this period; choose a longer period, or check org_name.",
    )
}

fn answer(
    headers: &HeaderMap,
    history: &OrgHistory,
    Period { from, to }: Period,
    what: &str,
    table: csv::Result<Vec<u8>>,
) -> Result<Response, ApiError> {
    let table = table.map_err(|error| ApiError::unavailable(&error))?;
    let org = history.org.as_ref().map_or("all-orgs", OrgName::as_str);
    let name = org.replace('/', "-");
    // Names of orgs have only ASCII.
    let name = name.get(..MAX_NAME).unwrap_or(&name);
    let disposition = format!("attachment; filename=\"{name}_{what}_{from}_{to}.csv\"");
    let mut response = revalidated(headers, "text/csv; charset=utf-8", table);
    // Names of orgs have only characters that are valid in headers.
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_DISPOSITION, disposition);
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    }
    Ok(response)
}

fn point(point: &OrgPoint) -> [Cell<'static>; 5] {
    [
        Cell::own(Some(point.day)),
        Cell::own(point.coverage),
        Cell::own(point.lines.map(|lines| lines.covered)),
        Cell::own(point.lines.map(|lines| lines.total)),
        Cell::own(Some(point.repositories)),
    ]
}

fn movement(row: &Movement) -> [Cell<'_>; 10] {
    let percentage = |percentage: Option<Percentage>| Cell::own(percentage);
    [
        Cell::Text(row.repository.org.as_str().into()),
        Cell::Text(row.repository.repo.as_str().into()),
        Cell::own(Some(state(row))),
        percentage(row.start),
        percentage(row.end),
        Cell::own(row.change.map(signed)),
        Cell::own(row.contribution.map(signed)),
        Cell::own(row.lines.map(|lines| lines.covered)),
        Cell::own(row.lines.map(|lines| lines.total)),
        Cell::own(row.last),
    ]
}

fn state(row: &Movement) -> &'static str {
    match row.state {
        State::Kept => "kept",
        State::New => "new",
        State::Gone => "gone",
        State::Unweighted => "without_lines",
    }
}

/// Formats a change for spreadsheets: with a hyphen as minus and without a plus.
fn signed(change: Change) -> String {
    let text = change.to_string().replace('\u{2212}', "-");
    text.trim_start_matches('+').to_owned()
}

fn group(row: &GroupRow) -> [Cell<'_>; 10] {
    let start = row.points.first().and_then(|point| point.coverage);
    [
        Cell::Text(row.org.as_str().into()),
        Cell::own(start),
        Cell::own(row.coverage),
        Cell::own(row.change.map(signed)),
        Cell::own(row.lines.map(|lines| lines.covered)),
        Cell::own(row.lines.map(|lines| lines.total)),
        Cell::own(Some(row.counts.in_period)),
        Cell::own(Some(row.counts.at_end)),
        Cell::own(Some(row.counts.on_target)),
        Cell::own(Some(row.counts.stale)),
    ]
}
