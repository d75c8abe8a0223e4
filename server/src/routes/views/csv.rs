//! `GET /coverages-api/views.csv` and `GET /coverages-api/owners.csv`: the tables of views and of owners as files.

use super::{
    ViewsParameters,
    owners::{OwnersParameters, owners_of},
    views_of,
};
use crate::{
    history::csv::{Cell, Column, covered, csv, text, total},
    http::error::ApiError,
    routes::{
        openapi::refusals::{IfNoneMatch, Read, WithoutTable},
        org_csv::{Table, file},
        parameters::Query,
        readable::Readable,
        record_json::plain,
    },
};
use axum::{http::HeaderMap, response::Response};
use domain::{Count, ViewCounts};

struct Row {
    name: String,
    /// In how many repositories an owner has files.
    repositories: Option<usize>,
    counts: ViewCounts,
}

impl Row {
    fn new_lines(&self) -> Option<Count> {
        self.counts.new.map(|new| new.lines)
    }
}

const VIEW: &[Column<Row>] = &[("view", |row| text(&row.name))];

const OWNER: &[Column<Row>] = &[
    ("owner", |row| text(&row.name)),
    ("repositories", |row| Cell::own(row.repositories)),
];

const COUNTS: &[Column<Row>] = &[
    ("percentage", |row| Cell::own(row.counts.percentage())),
    ("change", |row| Cell::own(row.counts.delta().map(plain))),
    ("lines_covered", |row| covered(Some(row.counts.now.lines))),
    ("lines_total", |row| total(Some(row.counts.now.lines))),
    ("files", |row| Cell::own(Some(row.counts.now.files))),
    ("new_lines_covered", |row| covered(row.new_lines())),
    ("new_lines_total", |row| total(row.new_lines())),
    ("new_lines_unknown", |row| {
        Cell::own(row.counts.new.map(|new| new.unknown))
    }),
];

/// The views of a repository as a table
///
/// The columns are `view`, `percentage`, `change`, `lines_covered`, `lines_total`, `files`, `new_lines_covered`, `new_lines_total`
/// and `new_lines_unknown`. An unknown value is empty.
#[utoipa::path(
    get,
    path = "/coverages-api/views.csv",
    operation_id = "viewsTable",
    tag = "records",
    params(ViewsParameters, IfNoneMatch),
    responses(Table, Read<WithoutTable>)
)]
pub(in crate::routes) async fn views(
    Readable { reader, .. }: Readable,
    Query(of): Query<ViewsParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (repository, found) = views_of(&reader, of).await?;
    let rows = found.views.into_iter().map(|(view, counts)| Row {
        name: view.to_string(),
        repositories: None,
        counts,
    });
    answer(&headers, (&repository.to_string(), "views"), VIEW, rows)
}

/// The owners of an org as a table
///
/// The columns are `owner`, `repositories` and the columns of `views.csv` after `view`.
#[utoipa::path(
    get,
    path = "/coverages-api/owners.csv",
    operation_id = "ownersTable",
    tag = "records",
    params(OwnersParameters, IfNoneMatch),
    responses(Table, Read<WithoutTable>)
)]
pub(in crate::routes) async fn owners(
    Readable { reader, .. }: Readable,
    Query(of): Query<OwnersParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (org, found) = owners_of(&reader, of).await?;
    let rows = found.owners.into_iter().map(|row| Row {
        name: row.owner.name().to_owned(),
        repositories: Some(row.repositories.len()),
        counts: row.counts,
    });
    answer(&headers, (org.as_str(), "owners"), OWNER, rows)
}

fn answer(
    headers: &HeaderMap,
    (of, what): (&str, &str),
    first: &[Column<Row>],
    rows: impl Iterator<Item = Row>,
) -> Result<Response, ApiError> {
    let (columns, rows) = ([first, COUNTS].concat(), rows.collect::<Vec<_>>());
    file(headers, of, what, csv(&columns, &rows))
}
