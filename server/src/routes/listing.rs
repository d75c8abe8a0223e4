//! `GET /coverages-api`: the paginated listing.

pub(super) mod parameters;

use super::readable::Readable;
use super::{
    etag::Tagged,
    heavy,
    openapi::refusals::{IfNoneMatch, Read, WrongParameters},
    parameters::Query,
    peer::peer,
    record_json::RecordJson,
};
use crate::{
    fresh_cache::{FreshCache, Weighed},
    http::error::ApiError,
};
use axum::{
    extract::Request as HttpRequest,
    response::{IntoResponse, Response},
};
use parameters::ListingParameters;
pub(super) use parameters::Page;
use serde::{Serialize, Serializer};
use std::sync::Arc;
use store::{ListingFilter, ReadScope, Reader, Record};
use utoipa::ToSchema;

const JSON: &str = "application/json";

/// A page of records.
#[derive(Serialize, ToSchema)]
#[schema(as = Listing)]
struct Answer<'a> {
    /// Whether there is another page.
    has_next: bool,
    /// The records by `org_name/repo_name`: repositories by name, the newest record of each first. A repository may
    /// continue on the next page.
    #[schema(value_type = BTreeMap<String, Vec<RecordJson>>)]
    data: ByRepository<'a>,
}

/// Records that are grouped by repository, written as one object with a key per repository, in the same order.
struct ByRepository<'a>(&'a [Record]);

/// The cache of lists, valid until the next upload.
pub(super) type Listings = Arc<FreshCache<Requested, Tagged>>;

#[derive(PartialEq, Eq, Hash)]
pub(super) enum Requested {
    /// A page of records, for readers with this scope.
    Page(ReadScope, Request),
    /// The names of all repositories, for readers with this scope.
    Repositories(ReadScope),
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Request {
    filter: ListingFilter,
    page: u64,
    per_page: u32,
}

impl From<ListingParameters> for Request {
    fn from(parameters: ListingParameters) -> Self {
        Self {
            filter: ListingFilter {
                full: parameters.full.0,
                org_name: parameters.org_name,
                repo_name: parameters.repo_name,
                branch_name: parameters.branch_name,
                language: parameters.language,
                commit_author: parameters.commit_author,
                keyword: parameters.keyword,
            },
            page: parameters.p.unwrap_or_default().0,
            per_page: parameters.per_page.unwrap_or_default().0,
        }
    }
}

impl Weighed for Requested {
    fn bytes(&self) -> usize {
        let texts = match self {
            Self::Page(scope, request) => scope.bytes() + request.filter.text_bytes(),
            Self::Repositories(scope) => scope.bytes(),
        };
        size_of::<Self>() + texts
    }
}

/// List records
///
/// A page of records, ordered by org and repository, the newest first.
#[utoipa::path(
    get,
    path = "/coverages-api",
    operation_id = "listRecords",
    tag = "records",
    params(ListingParameters, IfNoneMatch),
    responses(
        (status = 200, description = "A page of records.", body = Answer),
        Read<WrongParameters>
    )
)]
pub(super) async fn list(
    readable: Readable,
    listings: Listings,
    Query(asked): Query<ListingParameters>,
    request: HttpRequest,
) -> Result<Response, ApiError> {
    let (reader, budget) = (readable.reader.clone(), readable.budget.clone());
    let asked = Request::from(asked);
    let key = Requested::Page(reader.scope().clone(), asked.clone());
    if let Some(answer) = listings.cached(&key).await {
        return Ok(answer.answer(request.headers(), JSON));
    }
    // A page of a filtered listing reads all records before it.
    let headers = request.headers().clone();
    let reading = async move {
        let answer = listings.get(key, answer(&reader, &asked)).await;
        answer
            .map(|answer| answer.answer(&headers, JSON))
            .into_response()
    };
    Ok(heavy::counted(&budget, peer(&request), request.headers(), reading).await)
}

async fn answer(reader: &Reader, request: &Request) -> Result<Tagged, ApiError> {
    let before = request.page.saturating_sub(1);
    let offset = before.saturating_mul(u64::from(request.per_page));
    let page = reader
        .list(&request.filter, offset, request.per_page)
        .await?;
    let answer = Answer {
        has_next: page.has_next,
        data: ByRepository(&page.records),
    };
    Ok(Tagged::new(serde_json::to_vec(&answer)?))
}

impl Serialize for ByRepository<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let repositories = self.0.chunk_by(|a, b| a.repository == b.repository);
        serializer.collect_map(repositories.filter_map(|records| {
            let repository = records.first()?.repository.to_string();
            let records = records.iter().map(RecordJson::from);
            Some((repository, records.collect::<Vec<_>>()))
        }))
    }
}
