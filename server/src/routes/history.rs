//! `GET /coverages-api/history`: a page of the records of a branch, which its table fetches.

use super::readable::Readable;
use crate::{
    http::error::ApiError,
    routes::{
        openapi::{
            names,
            refusals::{Missing, NotForStrangers, Unexpected, WrongParameters},
        },
        parameters::{Described, Required, parameters},
    },
};
use app::api::HistoryAnswer;
use axum::{Json, extract::RawQuery};
use domain::{
    BranchName, HistoryKey, HistoryOrder, HistoryPlace, Language, OrgName, RepoName, Repository,
    RepositoryQuery,
};
use store::now;

parameters! {
    /// The parameters of a branch's records, as on the repository's page.
    struct HistoryParameters {
        /// The org.
        #[param(value_type = names::OrgName)]
        org_name: Required<OrgName>,
        /// The repository.
        #[param(value_type = names::RepoName)]
        repo_name: Required<RepoName>,
        /// The branch; by default the main branch.
        #[param(value_type = Option<names::BranchName>)]
        branch_name: Option<BranchName>,
        /// Only this language.
        #[param(value_type = Option<names::Language>)]
        language: Option<Language>,
        #[param(schema_with = names::before)]
        before: Option<HistoryKey>,
        #[param(schema_with = names::after)]
        after: Option<HistoryKey>,
        #[param(schema_with = names::order)]
        order: Option<HistoryOrder>,
    }
}

/// The records of a branch
///
/// Newest first, a page at a time; or the first 50 in another order, found among all records of the branch.
#[utoipa::path(
    get,
    path = "/coverages-api/history",
    operation_id = "history",
    tag = "internal",
    params(HistoryParameters),
    responses(
        (status = 200, description = "A page of records.", body = HistoryAnswer),
        WrongParameters,
        NotForStrangers,
        Missing,
        Unexpected
    )
)]
pub(super) async fn read(
    Readable { reader, .. }: Readable,
    RawQuery(query): RawQuery,
) -> Result<Json<HistoryAnswer>, ApiError> {
    let parameters = HistoryParameters::of(query.as_deref())?;
    let repository = Repository {
        org: parameters.org_name.0,
        repo: parameters.repo_name.0,
    };
    let older = parameters.before.map(HistoryPlace::OlderThan);
    let newer = parameters.after.map(HistoryPlace::NewerThan);
    let sorted = parameters.order.map(HistoryPlace::Sorted);
    let query = RepositoryQuery {
        branch: parameters.branch_name,
        language: parameters.language,
        place: older.or(newer).or(sorted).unwrap_or_default(),
        ..RepositoryQuery::default()
    };
    let found = reader.branch_history(&repository, &query).await?;
    let (branch, history) = found.ok_or_else(|| {
        ApiError::not_found("No coverage was uploaded for this repository and branch.")
    })?;
    let answer = HistoryAnswer::new(now(), branch.to_string(), history);
    Ok(Json(answer))
}
