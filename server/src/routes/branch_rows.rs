//! `GET /coverages-api/branches`: a page of the branches of a repository, which its table fetches.

use super::readable::Readable;
use crate::{
    http::error::ApiError,
    routes::{
        listing::Page,
        openapi::{
            names,
            refusals::{Missing, NotForStrangers, Unexpected, WrongParameters},
        },
        parameters::{Described, Required, parameters},
    },
};
use app::api::BranchesAnswer;
use axum::{Json, extract::RawQuery};
use domain::{BranchColumn, ListOrder, OrgName, RepoName, Repository, RepositoryQuery};
use store::now;

parameters! {
    /// The filter and the order of the branches.
    struct BranchParameters {
        /// The org.
        #[param(value_type = names::OrgName)]
        org_name: Required<OrgName>,
        /// The repository.
        #[param(value_type = names::RepoName)]
        repo_name: Required<RepoName>,
        /// Only branches with this text in their name, ignoring case.
        #[param(example = "fix")]
        keyword: Option<String>,
        #[param(schema_with = names::list_order::<BranchColumn>)]
        order: Option<ListOrder<BranchColumn>>,
        /// A page past the end is the last one.
        #[param(inline)]
        p: Option<Page>,
    }
}

/// The branches of a repository
///
/// The current record of every branch in each language: the main branch first, then by last upload, or in another order. A page
/// has 50 rows.
#[utoipa::path(
    get,
    path = "/coverages-api/branches",
    operation_id = "branches",
    tag = "internal",
    params(BranchParameters),
    responses(
        (status = 200, description = "A page of branches.", body = BranchesAnswer),
        WrongParameters,
        NotForStrangers,
        Missing,
        Unexpected
    )
)]
pub(super) async fn read(
    Readable { reader, .. }: Readable,
    RawQuery(query): RawQuery,
) -> Result<Json<BranchesAnswer>, ApiError> {
    let parameters = BranchParameters::of(query.as_deref())?;
    let repository = Repository {
        org: parameters.org_name.0,
        repo: parameters.repo_name.0,
    };
    let page = parameters.p.unwrap_or_default().0;
    let query = RepositoryQuery {
        keyword: parameters.keyword.unwrap_or_default(),
        branches: parameters.order,
        page: u32::try_from(page).unwrap_or(u32::MAX),
        ..RepositoryQuery::default()
    };
    let found = reader.branch_rows(&repository, &query).await?;
    let (main, page) = found
        .ok_or_else(|| ApiError::not_found("No coverage was uploaded for this repository."))?;
    Ok(Json(BranchesAnswer::new(now(), main.to_string(), page)))
}
