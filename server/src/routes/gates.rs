//! `GET /coverages-api/gates.csv`: the verdicts and the changed lines of pull requests over time, as a file.

use super::{
    openapi::{
        names,
        refusals::{IfNoneMatch, Read, WithoutTable},
    },
    org_csv::{Table, file},
    parameters::{Query, parameters},
    readable::Readable,
};
use crate::{
    history::csv::{Cell, Column, covered, csv, total},
    http::error::ApiError,
};
use axum::{http::HeaderMap, response::Response};
use domain::{Day, GateInterval, GateRow, GatesQuery, OrgName, RepoName};

parameters! {
    struct GatesParameters {
        // The org, including its nested groups; by default all orgs.
        #[schema(names::optional::<names::OrgName>())]
        org_name: Option<OrgName>,
        // Only this repository of the org; ignored without `org_name`.
        #[schema(names::optional::<names::RepoName>())]
        repo_name: Option<RepoName>,
        by: Option<GateInterval>,
        #[schema(names::from())]
        from: Option<Day>,
        #[schema(names::to())]
        to: Option<Day>,
    }
}

const COLUMNS: &[Column<GateRow>] = &[
    ("from", |row| Cell::own(Some(row.days.from))),
    ("to", |row| Cell::own(Some(row.days.to))),
    ("repositories", |row| Cell::own(Some(row.repositories))),
    ("results", |row| Cell::own(Some(row.counts.results))),
    ("passed", |row| Cell::own(Some(row.counts.passed))),
    ("failed", |row| Cell::own(Some(row.counts.failed))),
    ("unknown", |row| Cell::own(Some(row.counts.unknown))),
    ("incomplete", |row| Cell::own(Some(row.counts.incomplete))),
    ("without_gate", |row| Cell::own(Some(row.counts.without))),
    ("changed_lines_covered", |row| {
        covered(Some(row.counts.changed))
    }),
    ("changed_lines_total", |row| total(Some(row.counts.changed))),
    ("changes_unknown", |row| {
        Cell::own(Some(row.counts.changes_unknown))
    }),
];

/// The gates of pull requests over time as a table
///
/// It has a row for each week or month of at most a year. Each pull request counts once in an interval and language, with its last
/// upload there. The columns are `from`, `to`, `repositories`, `results`, `passed`, `failed`, `unknown`, `incomplete`, `without_gate`,
/// `changed_lines_covered`, `changed_lines_total`, and `changes_unknown`: results whose changed lines are not known. Only the newest
/// 50,000 records are read; intervals that lack some are left out.
#[utoipa::path(
    get,
    path = "/coverages-api/gates.csv",
    operation_id = "gatesTable",
    tag = "records",
    params(GatesParameters, IfNoneMatch),
    responses(Table, Read<WithoutTable>)
)]
pub(super) async fn csv_file(
    Readable { reader, .. }: Readable,
    Query(of): Query<GatesParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let query = GatesQuery {
        org: of.org_name,
        repo: of.repo_name,
        by: of.by.unwrap_or_default(),
        from: of.from,
        to: of.to,
    };
    let found = reader.gate_history(&query).await?;
    let history = found.ok_or_else(|| {
        ApiError::not_found("No coverage was uploaded for this org or repository.")
    })?;
    let of = match (&history.repository, &history.org) {
        (Some(repository), _) => repository.to_string(),
        (None, Some(org)) => org.to_string(),
        (None, None) => "all".to_owned(),
    };
    file(&headers, &of, "gates", csv(COLUMNS, &history.rows))
}
