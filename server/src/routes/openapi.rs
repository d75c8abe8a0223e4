//! The OpenAPI document of the interface, put together from what stands beside its handlers, and the route that gives it
//! out. What is for browsers alone (pages, login, theme) is no part of it.

pub(super) mod names;
pub(super) mod refusals;
pub(super) mod revalidated;
mod security;
mod shared;

use super::{
    assets, badge, branches, etag::Tagged, health, listing, metrics, org_csv,
    record_json::RecordJson, records, reports, trend, upload,
};
use crate::http::error::{ApiError, Problem};
use axum::{http::HeaderMap, response::Response};
use refusals::Unexpected;
use revalidated::{IfNoneMatch, NotModified, Tags};
use security::Schemes;
use shared::EveryAnswer;
use std::sync::LazyLock;
use utoipa::{Modify, OpenApi};

/// Where the document is had.
pub(super) const PATH: &str = "/coverages-api/openapi.json";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Coverage dashboard",
        description = "CI jobs upload the report of their coverage tool; people and programs read the records that were \
            made of them. Parameters that are not named here are ignored, and one that is given empty counts as absent. \
            Times are RFC 3339 with microseconds and a numeric offset. Every refusal is a problem document (RFC 9457) \
            with a stable `code`."
    ),
    servers((url = "/", description = "The service that gave out this document")),
    tags(
        (name = "uploads", description = "What CI jobs send."),
        (name = "records", description = "The numbers."),
        (name = "images", description = "What READMEs show."),
        (name = "reports", description = "What the coverage tools wrote."),
        (name = "service", description = "The service itself.")
    ),
    paths(
        listing::list,
        records::delete,
        upload::upload,
        branches::retire,
        org_csv::trend,
        org_csv::movements,
        badge::svg,
        badge::json,
        trend::svg,
        assets::report,
        health::health,
        health::live,
        health::ready,
        metrics::metrics,
        document
    ),
    components(schemas(
        Problem,
        RecordJson,
        names::OrgName,
        names::RepoName,
        names::BranchName,
        names::CommitHash,
        names::CommitAuthor,
        names::Language,
        names::CoverageFileName,
        names::VcsApiUrl
    ))
)]
struct Interface;

static DOCUMENT: LazyLock<Result<Tagged, serde_json::Error>> =
    LazyLock::new(|| Ok(Tagged::new(text()?.into_bytes())));

/// The document as JSON, for people too.
///
/// # Errors
///
/// None that is known: what the document is made of can all be written as JSON.
pub fn text() -> Result<String, serde_json::Error> {
    let mut interface = Interface::openapi();
    interface.merge(reports::Interface::openapi());
    let modifiers: [&dyn Modify; 3] = [&Schemes, &EveryAnswer, &Tags];
    for modifier in modifiers {
        modifier.modify(&mut interface);
    }
    // Whose software this is, is no matter of its interface.
    interface.info.license = None;
    Ok(interface.to_pretty_json()? + "\n")
}

/// This document
///
/// It says nothing of what is stored, so everybody may have it.
#[utoipa::path(
    get,
    path = "/coverages-api/openapi.json",
    operation_id = "openapi",
    tag = "service",
    params(IfNoneMatch),
    responses(
        (status = 200, description = "An OpenAPI 3.1 document.", body = Object, content_type = "application/json"),
        NotModified,
        Unexpected
    ),
    security(())
)]
pub(super) async fn document(headers: HeaderMap) -> Result<Response, ApiError> {
    match &*DOCUMENT {
        Ok(document) => Ok(document.clone().answer(&headers, "application/json")),
        Err(error) => Err(ApiError::unavailable(error)),
    }
}
