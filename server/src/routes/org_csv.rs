//! `GET /coverages-api/orgs/trend.csv` and `movements.csv`: the tables of an org's page as files, with the
//! page's parameters.

use super::{
    etag::revalidated,
    openapi::{
        names,
        refusals::{Missing, NotForStrangers, Unexpected, WrongParameters},
        revalidated::{IfNoneMatch, NotModified},
    },
    parameters::{Described, Required, parameters},
};
use crate::{
    history::csv::{Cell, csv},
    http::error::ApiError,
    store::Store,
};
use axum::{
    extract::{RawQuery, State as Extracted},
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use domain::{
    Change, Day, Mean, Movement, OrgName, OrgPoint, OrgQuery, OrgReport, Over, Percentage, Range,
    State,
};

/// The most characters of an org's name in a file name.
const MAX_NAME: usize = 80;

parameters! {
    /// The parameters of both tables, which are those of the org's page.
    struct TableParameters {
        /// The org, including its nested groups.
        #[param(value_type = names::OrgName)]
        org_name: Required<OrgName>,
        #[param(schema_with = names::range)]
        range: Option<Range>,
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
            org: parameters.org_name.0,
            range: parameters.range.unwrap_or_default(),
            from: parameters.from,
            to: parameters.to,
            mean: parameters.mean.unwrap_or_default(),
            over: parameters.over.unwrap_or_default(),
        }
    }
}

/// The trend of an org as a table
///
/// The columns are `day`, `percentage`, `lines_covered`, `lines_total` and `repositories`.
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
        NotModified,
        WrongParameters,
        NotForStrangers,
        Missing,
        Unexpected
    )
)]
pub(super) async fn trend(
    Extracted(store): Extracted<Store>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (query, report) = report(&store, query.as_deref()).await?;
    let columns = [
        "day",
        "percentage",
        "lines_covered",
        "lines_total",
        "repositories",
    ];
    let table = csv(columns, report.points.iter().map(point));
    answer(&headers, &query, &report, "trend", table)
}

/// The movements of an org's repositories as a table
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
        NotModified,
        WrongParameters,
        NotForStrangers,
        Missing,
        Unexpected
    )
)]
pub(super) async fn movements(
    Extracted(store): Extracted<Store>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (query, report) = report(&store, query.as_deref()).await?;
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
    answer(&headers, &query, &report, "movements", table)
}

async fn report(store: &Store, query: Option<&str>) -> Result<(OrgQuery, OrgReport), ApiError> {
    let query = OrgQuery::from(TableParameters::of(query)?);
    let history = store.org(&query).await?;
    let report = history.and_then(|history| {
        let report = OrgReport::of(&history, &query)?;
        Some((
            OrgQuery {
                org: history.org,
                ..query
            },
            report,
        ))
    });
    report.ok_or_else(|| {
        ApiError::not_found("No coverage of this org was uploaded in this period; choose a longer period, or check org_name.")
    })
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

fn answer(
    headers: &HeaderMap,
    query: &OrgQuery,
    report: &OrgReport,
    what: &str,
    table: csv::Result<Vec<u8>>,
) -> Result<Response, ApiError> {
    let table = table.map_err(|error| ApiError::unavailable(&error))?;
    let name: String = query
        .org
        .as_str()
        .chars()
        .take(MAX_NAME)
        .map(|char| if char == '/' { '-' } else { char })
        .collect();
    let (from, to) = (report.period.from, report.period.to);
    let disposition = format!("attachment; filename=\"{name}_{what}_{from}_{to}.csv\"");
    let mut response = revalidated(headers, "text/csv; charset=utf-8", table);
    // Names of orgs have only characters that are valid in headers.
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_DISPOSITION, disposition);
        headers.insert(
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        );
    }
    Ok(response)
}
