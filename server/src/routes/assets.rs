//! Redirects for links that CI steps of the replaced system have posted: to reports, and to its dashboard.

use super::readable::Readable;
use super::{
    navigation::must_be_no_part,
    openapi::refusals::{Missing, NotForStrangers, OnlyNavigation, Unexpected},
    reports::report_path,
};
use crate::http::error::ApiError;
use app::links;
use axum::{
    extract::{Path, rejection::PathRejection},
    http::HeaderMap,
    response::Redirect,
};
use domain::{CommitAuthor, RepoName, Repository};
use objects::{Reports, ReportsError};
use std::borrow::Cow;
use store::BranchReport;

/// The current report of a branch, under an old address
///
/// Redirects to the report. If the branch has several languages, the last updated report that has this path is used.
#[utoipa::path(
    get,
    path = "/coverages-api/assets/{org_name}/{repo_name}/{branch_name}/archive/{path}",
    operation_id = "currentReport",
    tag = "reports",
    params(
        ("org_name" = String, Path, description = "The org.", example = "acme"),
        ("repo_name" = String, Path, description = "The repository.", example = "payments"),
        ("branch_name" = String, Path, description = "The branch, with `_fs_` for each `/`.", example = "feature_fs_x"),
        ("path" = String, Path, description = "A path in the report; it may contain `/`.", example = "index.html")
    ),
    responses(
        (
            status = 307,
            description = "Redirects to the report.",
            headers(("Location" = String, description = "The address of the report."))
        ),
        NotForStrangers,
        OnlyNavigation,
        Missing,
        Unexpected
    )
)]
pub(super) async fn report(
    state: Readable,
    headers: HeaderMap,
    path: Result<Path<String>, PathRejection>,
) -> Result<Redirect, ApiError> {
    must_be_no_part(&headers)?;
    let missing = || ApiError::not_found("There is no current HTML report of that branch.");
    let Path(path) = path.map_err(|_| missing())?;
    let link = Link::of(&path).ok_or_else(missing)?;
    let reports = state
        .reader
        .branch_reports(&link.repository, link.branch)
        .await?;
    let newest = reports.first().ok_or_else(missing)?.record_id;
    let found = match link.path {
        "" => None,
        path => holder(state.reports.clone(), reports, path.to_owned()).await?,
    };
    Ok(Redirect::temporary(&match found {
        Some(record_id) => report_path(record_id, None, link.path),
        None => report_path(newest, None, ""),
    }))
}

/// `/coverages-ui/{org}/{repo}` and `/coverages-ui/{org}/user/{author}`: redirect to the page of the repository or
/// author. If a repository in a group called `user` exists, it is used.
pub(super) async fn page(
    Readable { reader, .. }: Readable,
    headers: HeaderMap,
    path: Result<Path<String>, PathRejection>,
) -> Result<Redirect, ApiError> {
    must_be_no_part(&headers)?;
    let missing = || ApiError::not_found("There is no such page.");
    let Path(path) = path.map_err(|_| missing())?;
    let repository: Result<Repository, _> = path.trim_end_matches('/').parse();
    if let Some(author) = author(&path) {
        let is_repository = match &repository {
            Ok(repository) => reader.main_branch(repository).await?.is_some(),
            Err(_) => false,
        };
        if !is_repository {
            return Ok(Redirect::permanent(&links::author(&author)));
        }
    }
    let repository = repository.map_err(|_| missing())?;
    Ok(Redirect::permanent(&links::repository(&repository)))
}

/// Returns the author in `{org}/user/{author}`. Orgs had no groups in the replaced system.
fn author(path: &str) -> Option<CommitAuthor> {
    let (org, author) = path.split_once("/user/")?;
    let _: RepoName = org.parse().ok()?;
    author.parse().ok()
}

/// The parts of such an address.
#[derive(Debug, PartialEq, Eq)]
struct Link<'a> {
    repository: Repository,
    branch: &'a str,
    path: &'a str,
}

impl<'a> Link<'a> {
    /// Parses an address. A branch has no `/` here, so the first `archive` after three segments is the separator.
    fn of(address: &'a str) -> Option<Self> {
        let marks = address.match_indices("/archive").filter(|(at, mark)| {
            let rest = &address[at + mark.len()..];
            rest.is_empty() || rest.starts_with('/')
        });
        marks.into_iter().find_map(|(at, mark)| {
            let (repository, branch) = address[..at].rsplit_once('/')?;
            Some(Self {
                repository: repository.parse().ok()?,
                branch,
                path: address[at + mark.len()..].trim_start_matches('/'),
            })
        })
    }
}

/// Returns the record of the first report that has a file or a folder at this path.
async fn holder(
    reports: Reports,
    candidates: Vec<BranchReport>,
    path: String,
) -> Result<Option<i64>, ApiError> {
    let threads = reports.threads();
    let look = move || {
        let has = |report: &BranchReport| {
            let object = reports.get(&report.key)?;
            let folder = path.trim_end_matches('/');
            let file = if path.ends_with('/') {
                Cow::Owned(format!("{path}index.html"))
            } else {
                Cow::Borrowed(&path)
            };
            let has = object.entry(&file)?.is_some()
                || object.folder(&format!("{folder}/"), 1)?.is_some();
            Ok::<_, ReportsError>(has)
        };
        let found = candidates
            .iter()
            .find(|report| has(report).unwrap_or(false));
        found.map(|report| report.record_id)
    };
    Ok(threads.run(look).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_asset_address_starts_with_its_archive() {
        let link = |address: &'static str| {
            let link = Link::of(address)?;
            Some((link.repository.to_string(), link.branch, link.path))
        };
        assert_eq!(
            link("acme/payments/feature_fs_x/archive/build/"),
            Some(("acme/payments".to_owned(), "feature_fs_x", "build/"))
        );
        assert_eq!(
            link("acme/sub/payments/main/archive"),
            Some(("acme/sub/payments".to_owned(), "main", ""))
        );
        assert_eq!(
            link("acme/archive/archive/archive/archive/a.html"),
            Some(("acme/archive".to_owned(), "archive", "archive/a.html"))
        );
        assert_eq!(
            link("acme/payments/archives/archive/x"),
            Some(("acme/payments".to_owned(), "archives", "x"))
        );
        for bad in [
            "",
            "acme/payments/main",
            "payments/archive/x",
            "a/../b/archive/x",
        ] {
            assert_eq!(link(bad), None, "{bad}");
        }
    }
}
