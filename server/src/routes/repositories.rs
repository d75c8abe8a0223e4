//! `GET /coverages-api/repositories`: the names of all repositories, which the palette searches in the browser.

use super::readable::Readable;
use crate::{
    http::error::ApiError,
    routes::{
        etag::Tagged,
        listing::{Listings, Requested},
        openapi::refusals::{IfNoneMatch, Read},
    },
};
use app::api::{OrgRepositories, RepositoriesAnswer};
use axum::{http::HeaderMap, response::Response};
use domain::Repository;
use store::Reader;

/// The names of all repositories
///
/// By org. There are at most 20,000, the newest ones.
#[utoipa::path(
    get,
    path = "/coverages-api/repositories",
    operation_id = "repositories",
    tag = "records",
    params(IfNoneMatch),
    responses(
        (status = 200, description = "The names.", body = RepositoriesAnswer),
        Read
    )
)]
pub(super) async fn read(
    Readable { reader, .. }: Readable,
    listings: Listings,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let answer = listings
        .get(
            Requested::Repositories(reader.scope().clone()),
            answer(&reader),
        )
        .await?;
    Ok(answer.answer(&headers, "application/json"))
}

async fn answer(reader: &Reader) -> Result<Tagged, ApiError> {
    let (repositories, is_whole) = reader.repository_names().await?;
    let answer = RepositoriesAnswer {
        orgs: by_org(&repositories),
        is_whole,
    };
    Ok(Tagged::weak(serde_json::to_vec(&answer)?))
}

fn by_org(repositories: &[Repository]) -> Vec<OrgRepositories> {
    let orgs = repositories.chunk_by(|one, other| one.org == other.org);
    let named = orgs.filter_map(|repositories| {
        let names = repositories.iter().map(|one| one.repo.to_string());
        Some(OrgRepositories {
            org_name: repositories.first()?.org.to_string(),
            repo_names: names.collect(),
        })
    });
    named.collect()
}
