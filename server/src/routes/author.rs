//! `GET /coverages-api/author`: the first records of an author, which the table of the author's page fetches.

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
use app::api::AuthorAnswer;
use axum::{Json, extract::RawQuery};
use domain::{
    AuthorColumn, AuthorQuery, CommitAuthor, Language, ListOrder, OrgName, RepoName, Repository,
};

parameters! {
    /// The filters and the order of the records of an author.
    struct AuthorParameters {
        /// The author.
        #[param(value_type = names::CommitAuthor)]
        commit_author: Required<CommitAuthor>,
        /// Only records of the repository `repo_name` of this org. Without both, the records of all repositories.
        #[param(schema_with = names::some_org)]
        org_name: Option<OrgName>,
        /// The repository.
        #[param(value_type = Option<names::RepoName>)]
        repo_name: Option<RepoName>,
        /// Only this language.
        #[param(schema_with = names::some_language)]
        language: Option<Language>,
        #[param(schema_with = names::list_order::<AuthorColumn>)]
        order: Option<ListOrder<AuthorColumn>>,
    }
}

/// The records of an author
///
/// The newest 50 records, or the first 50 in another order, found among all records of the author.
#[utoipa::path(
    get,
    path = "/coverages-api/author",
    operation_id = "author",
    tag = "internal",
    params(AuthorParameters),
    responses(
        (status = 200, description = "The first records.", body = AuthorAnswer),
        WrongParameters,
        NotForStrangers,
        Missing,
        Unexpected
    )
)]
pub(super) async fn read(
    Readable { reader, .. }: Readable,
    RawQuery(query): RawQuery,
) -> Result<Json<AuthorAnswer>, ApiError> {
    let parameters = AuthorParameters::of(query.as_deref())?;
    let names = parameters.org_name.zip(parameters.repo_name);
    let query = AuthorQuery {
        author: parameters.commit_author.0,
        repository: names.map(|(org, repo)| Repository { org, repo }),
        language: parameters.language,
        after: None,
        order: parameters.order,
    };
    let found = reader.author(&query).await?;
    let detail = found.ok_or_else(|| ApiError::not_found("No record names this author."))?;
    Ok(Json(AuthorAnswer::from(detail)))
}
