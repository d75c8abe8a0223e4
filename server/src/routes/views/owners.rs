//! `GET /coverages-api/owners`: the code owners in an org, each with its counts from all repositories of the org.

use super::counts::{CountsJson, OtherJson};
use crate::{
    http::error::ApiError,
    routes::{
        etag::json,
        openapi::{
            names,
            refusals::{IfNoneMatch, Read, WithoutTable},
        },
        parameters::{Query, Required, parameters},
        readable::Readable,
    },
};
use axum::{http::HeaderMap, response::Response};
use domain::{Day, OrgName, OrgOwners, OwnerRow, ViewsQuery};
use serde::Serialize;
use store::Reader;
use utoipa::ToSchema;

parameters! {
    pub(super) struct OwnersParameters {
        org_name: Required<OrgName>,
        #[schema(names::from())]
        from: Option<Day>,
        #[schema(names::to())]
        to: Option<Day>,
    }
}

/// The owners of an org.
#[derive(Serialize, ToSchema)]
#[schema(as = Owners)]
struct OwnersJson {
    /// The sum of the totals that coverage files state, for the repositories that define owners; `null` if one of these repositories
    /// has no stated total.
    whole: Option<CountsJson>,
    /// The stated totals minus the sums of the files, in lines; `null` if `whole` is `null`.
    other: Option<OtherJson>,
    /// The number of repositories that define owners.
    repositories: u64,
    /// The number of repositories that define no owners: they are in no other number.
    undefined: u64,
    /// The owners, by name. A file with several owners counts for each.
    owners: Vec<OwnerJson>,
    /// Why owners are missing, one sentence each.
    notices: Vec<String>,
}

/// An owner with its counts.
#[derive(Serialize, ToSchema)]
#[schema(as = Owner)]
struct OwnerJson {
    /// The owner as `CODEOWNERS` files name it; `none` for files without an owner.
    #[schema(examples("@acme/payments"))]
    owner: String,
    /// The number of repositories in which it has files.
    repositories: usize,
    #[serde(flatten)]
    counts: CountsJson,
}

impl From<OwnerRow> for OwnerJson {
    fn from(row: OwnerRow) -> Self {
        Self {
            owner: row.owner.name().to_owned(),
            repositories: row.repositories.len(),
            counts: row.counts.into(),
        }
    }
}

/// The owners of an org
///
/// The owners that `CODEOWNERS` files name, with their sums from all repositories of an org and of its groups. Repositories
/// without such a file are counted only in `undefined`.
#[utoipa::path(
    get,
    path = "/coverages-api/owners",
    operation_id = "owners",
    tag = "records",
    params(OwnersParameters, IfNoneMatch),
    responses((status = 200, description = "The owners.", body = OwnersJson), Read<WithoutTable>)
)]
pub(in crate::routes) async fn read(
    Readable { reader, .. }: Readable,
    Query(of): Query<OwnersParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (_, found) = owners_of(&reader, of).await?;
    let answer = OwnersJson {
        whole: found.whole.map(CountsJson::from),
        other: found.other.map(OtherJson::from),
        repositories: found.repositories,
        undefined: found.undefined,
        owners: found.owners.into_iter().map(OwnerJson::from).collect(),
        notices: found.notices,
    };
    json(&headers, &answer)
}

/// The org that a request names, and the owners in its repositories.
pub(super) async fn owners_of(
    reader: &Reader,
    of: OwnersParameters,
) -> Result<(OrgName, OrgOwners), ApiError> {
    let org = of.org_name.0;
    let period = ViewsQuery {
        from: of.from,
        to: of.to,
        ..ViewsQuery::default()
    };
    let found = reader.owners(&org, &period).await?;
    let found =
        found.ok_or_else(|| ApiError::not_found("No coverage was uploaded for this org."))?;
    Ok((org, found))
}
