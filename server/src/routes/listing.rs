//! `GET /coverages-api`: the paginated listing.

use super::{
    etag::Tagged,
    openapi::{
        names,
        refusals::{NotForStrangers, Unexpected, WrongParameters},
        revalidated::{IfNoneMatch, NotModified},
    },
    parameters::Parameters,
    record_json::RecordJson,
};
use crate::{
    http::error::ApiError,
    routes::fresh_cache::{FreshCache, Weighed},
    store::{ListingFilter, Record, Store},
};
use axum::{
    Extension,
    extract::{RawQuery, State},
    http::HeaderMap,
    response::Response,
};
use serde::{Serialize, Serializer, ser::SerializeMap};
use utoipa::{IntoParams, ToSchema};

const DEFAULT_PER_PAGE: u32 = 100;
const MAX_PER_PAGE: u32 = 1_000;

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

/// The cache of pages, valid until the next upload.
pub(super) type Listings = FreshCache<Request, Tagged>;

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Request {
    filter: ListingFilter,
    page: u64,
    per_page: u32,
}

impl Weighed for Request {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.filter.text_bytes()
    }
}

/// The parameters of [`request_of`].
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described")]
struct ListingParameters {
    #[param(schema_with = names::page, required = false)]
    p: u64,
    /// Records on a page.
    #[param(minimum = 1, maximum = 1_000, default = 100, required = false)]
    per_page: u32,
    #[param(schema_with = names::full, required = false)]
    full: String,
    /// Only this organisation, ignoring case.
    #[param(example = "acme", required = false)]
    org_name: String,
    /// Only this repository, ignoring case.
    #[param(example = "payments", required = false)]
    repo_name: String,
    /// Only this branch, exactly.
    #[param(example = "main", required = false)]
    branch_name: String,
    /// Only this language, exactly.
    #[param(example = "python", required = false)]
    language: String,
    /// Only commits of this author, exactly.
    #[param(example = "Kim", required = false)]
    commit_author: String,
    /// Only repositories with this text in their `org_name/repo_name`, ignoring case.
    #[param(example = "pay", required = false)]
    keyword: String,
}

/// List records
///
/// A page of records, ordered by organisation and repository, the newest first.
#[utoipa::path(
    get,
    path = "/coverages-api",
    operation_id = "listRecords",
    tag = "records",
    params(ListingParameters, IfNoneMatch),
    responses(
        (status = 200, description = "A page of records.", body = Answer),
        NotModified,
        WrongParameters,
        NotForStrangers,
        Unexpected
    )
)]
pub(super) async fn list(
    State(store): State<Store>,
    Extension(listings): Extension<Listings>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let request = request_of(query.as_deref())?;
    let answer = listings
        .get(request.clone(), answer(&store, &request))
        .await?;
    Ok(answer.answer(&headers, "application/json"))
}

fn request_of(query: Option<&str>) -> Result<Request, ApiError> {
    let mut parameters = Parameters::of(query)?;
    let page = page(&mut parameters);
    let per_page = per_page(&mut parameters);
    let full = full(&mut parameters);
    let text = |name| parameters.text(name).map(str::to_owned);
    let filter = ListingFilter {
        full: full.unwrap_or_default(),
        org_name: text("org_name"),
        repo_name: text("repo_name"),
        branch_name: text("branch_name"),
        language: text("language"),
        commit_author: text("commit_author"),
        keyword: text("keyword"),
    };
    let request = page.zip(per_page).map(|(page, per_page)| Request {
        filter,
        page,
        per_page,
    });
    parameters.check(request)
}

fn page(parameters: &mut Parameters) -> Option<u64> {
    let page = match parameters.text("p") {
        None => Some(1),
        // A number that does not fit is a page past the end.
        Some(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(text.parse().unwrap_or(u64::MAX))
        }
        Some(_) => None,
    };
    if page.is_none() {
        parameters.refuse("p", "p greater than 0");
    }
    page
}

fn per_page(parameters: &mut Parameters) -> Option<u32> {
    let size = parameters
        .text("per_page")
        .map_or(Some(DEFAULT_PER_PAGE), |text| text.parse().ok());
    let size = size.filter(|size| (1..=MAX_PER_PAGE).contains(size));
    if size.is_none() {
        parameters.refuse("per_page", format!("must be from 1 to {MAX_PER_PAGE}"));
    }
    size
}

/// Reads a flag, which is on if it has no value.
fn full(parameters: &mut Parameters) -> Option<bool> {
    let full = match parameters.raw("full") {
        None | Some("0" | "false") => Some(false),
        Some("" | "1" | "true") => Some(true),
        Some(_) => None,
    };
    if full.is_none() {
        parameters.refuse(
            "full",
            "must be given without a value, or as 1, true, 0 or false",
        );
    }
    full
}

async fn answer(store: &Store, request: &Request) -> Result<Tagged, ApiError> {
    let before = request.page.saturating_sub(1);
    let offset = before.saturating_mul(u64::from(request.per_page));
    let page = store
        .list(&request.filter, offset, request.per_page)
        .await?;
    let answer = Answer {
        has_next: page.has_next,
        data: ByRepository(&page.records),
    };
    let json = serde_json::to_vec(&answer).map_err(|error| ApiError::unavailable(&error))?;
    Ok(Tagged::new(json))
}

impl Serialize for ByRepository<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for records in self.0.chunk_by(|a, b| a.repository == b.repository) {
            let Some(first) = records.first() else {
                continue;
            };
            map.serialize_entry(
                &first.repository.to_string(),
                &records.iter().map(RecordJson::from).collect::<Vec<_>>(),
            )?;
        }
        map.end()
    }
}
