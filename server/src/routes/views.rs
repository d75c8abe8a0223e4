//! `GET /coverages-api/views` and `GET /coverages-api/owners`, also as CSV: the counts of views of a repository, and of owners
//! over an org.

pub(super) mod counts;
pub(super) mod csv;
pub(super) mod owners;

use super::{
    etag::json,
    openapi::{
        names,
        refusals::{IfNoneMatch, Read, WithoutTable},
    },
    parameters::{Query, Required, parameters},
    readable::Readable,
    upload::PlainText,
};
use crate::http::error::{ApiError, Code};
use axum::{http::HeaderMap, response::Response};
use counts::{CountsJson, OtherJson, ViewJson};
use domain::{
    BranchName, Day, Language, OrgName, RepoName, Repository, ViewKind, ViewName, Views, ViewsQuery,
};
use serde::Serialize;
use store::{Reader, Trends, ViewFiles};
use utoipa::ToSchema;

parameters! {
    struct ViewsParameters {
        org_name: Required<OrgName>,
        repo_name: Required<RepoName>,
        /// The branch; by default the main branch.
        branch_name: Option<BranchName>,
        /// The language; by default the sum over all languages.
        language: Option<Language>,
        /// Only views of this kind.
        kind: Option<ViewKind>,
        under: Option<PlainText<1024>>,
        #[schema(names::from())]
        from: Option<Day>,
        #[schema(names::to())]
        to: Option<Day>,
    }
}

/// The views of a repository.
#[derive(Serialize, ToSchema)]
#[schema(as = Views)]
struct ViewsJson {
    /// The branch.
    #[schema(examples("main"))]
    branch_name: String,
    /// The day from which `delta` is counted: the upload of the record that was current at the start of the period, or of the first record
    /// if none was current; the earliest day of several languages.
    #[schema(format = Date, examples("2026-09-01"))]
    from: String,
    /// The repository, with the totals that its coverage files state; `null` if one of them states no lines, or lists no files.
    whole: Option<CountsJson>,
    /// The stated totals minus the sum of the files; may be negative. `null` if `whole` is `null`.
    other: Option<OtherJson>,
    /// The files that are directly in the folder `under`. These counts plus the counts of the folders below are the counts of `under`.
    direct: CountsJson,
    /// The views, by name. A file with several owners is in the view of each.
    views: Vec<ViewJson>,
    /// Why views are missing, one sentence each.
    notices: Vec<String>,
}

/// The views of a repository
///
/// Folders, owners of a `CODEOWNERS` file, and the views of `coverage-dashboard.toml`, as they are defined on the main branch now, with
/// the counts of their files.
#[utoipa::path(
    get,
    path = "/coverages-api/views",
    operation_id = "views",
    tag = "records",
    params(ViewsParameters, IfNoneMatch),
    responses((status = 200, description = "The views.", body = ViewsJson), Read<WithoutTable>)
)]
pub(super) async fn read(
    Readable { reader, .. }: Readable,
    Query(of): Query<ViewsParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (_, views) = views_of(&reader, of).await?;
    let answer = ViewsJson {
        branch_name: views.branch.to_string(),
        from: Day::of(views.from).to_string(),
        whole: views.whole.map(CountsJson::from),
        other: views.other.map(OtherJson::from),
        direct: views.direct.into(),
        views: views.views.into_iter().map(ViewJson::from).collect(),
        notices: views.notices,
    };
    json(&headers, &answer)
}

/// The views that a request names, and their repository.
async fn views_of(reader: &Reader, of: ViewsParameters) -> Result<(Repository, Views), ApiError> {
    let repository = Repository {
        org: of.org_name.0,
        repo: of.repo_name.0,
    };
    let query = ViewsQuery {
        branch: of.branch_name,
        language: of.language,
        kind: of.kind,
        under: of.under.map(|PlainText(under)| under).unwrap_or_default(),
        from: of.from,
        to: of.to,
        since: None,
    };
    let found = reader.views(&repository, &query, Trends::Omitted).await?;
    let views = found.ok_or_else(|| {
        ApiError::not_found("No coverage was uploaded for this repository and branch.")
    })?;
    Ok((repository, views))
}

/// The files of the view that a request about a record names, if it names one.
pub(super) async fn of_record(
    reader: &Reader,
    record_id: i64,
    view: Option<ViewName>,
) -> Result<Option<ViewFiles>, ApiError> {
    let Some(view) = view else { return Ok(None) };
    match reader.view_of_record(record_id, &view).await? {
        Some(files) => Ok(Some(files)),
        None => Err(no_view(&view)),
    }
}

/// Refuses a view if finding its files took too many steps: the answer would lack some of them.
pub(super) fn unless_costly(view: Option<&ViewFiles>) -> Result<(), ApiError> {
    match view.filter(|view| view.is_costly()) {
        Some(view) => Err(no_view(view.name())),
        None => Ok(()),
    }
}

/// The files of the view that a request about a repository names, if it names one.
pub(super) async fn of_repository(
    reader: &Reader,
    repository: &Repository,
    view: Option<&ViewName>,
) -> Result<Option<ViewFiles>, ApiError> {
    let Some(view) = view else { return Ok(None) };
    match reader.view(repository, view).await? {
        Some(files) => Ok(Some(files)),
        None => Err(no_view(view)),
    }
}

pub(super) fn no_view(view: &ViewName) -> ApiError {
    let why = domain::no_view(view);
    let detail = format!("{why}; `GET /coverages-api/views` lists the views.");
    ApiError::new(Code::NoView, detail)
}
