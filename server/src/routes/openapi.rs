//! The OpenAPI document of the API, assembled from the descriptions of its handlers, and its route. Routes for browsers
//! only (pages, login, theme) are not in it.

pub(super) mod names;
pub(super) mod refusals;
mod shared;

use super::{
    assets, badge, base, branches, changes, download, etag::Tagged, explanation, gates, health,
    line_history, line_tests, lines, listing, llms, mcp, metrics, org_csv, period_report, preview,
    record_json::RecordJson, record_parts, records, records_of, reports, repositories, search,
    source, summary, trend, upload, uploader, views,
};
use crate::http::error::{ApiError, Problem};
use axum::{http::HeaderMap, response::Response};
use refusals::{IfNoneMatch, PublicFile};
use std::sync::LazyLock;
use utoipa::OpenApi;

pub(super) const PATH: &str = "/coverages-api/openapi.json";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Coverage dashboard",
        description = "CI jobs upload coverage files and HTML reports; people and programs read the records that are \
            created from them. Parameters that are not named here are ignored, and an empty one counts as absent. \
            Times are RFC 3339 with microseconds and a numeric offset. Every refusal is a problem document (RFC 9457) \
            with a stable `code`."
    ),
    servers((url = "/", description = "The service that served this document")),
    tags(
        (name = "uploads", description = "Uploads of CI jobs."),
        (name = "records", description = "The stored numbers."),
        (name = "images", description = "Images for READMEs."),
        (name = "reports", description = "HTML reports of coverage tools."),
        (name = "service", description = "The service itself.")
    ),
    paths(
        listing::list,
        summary::read,
        records::delete,
        records_of::list,
        record_parts::delete,
        changes::read,
        explanation::read,
        gates::csv_file,
        line_history::new_code::read,
        line_history::cold::read,
        line_tests::read,
        views::read,
        views::csv::views,
        views::owners::read,
        views::csv::owners,
        period_report::read,
        lines::of_file,
        source::read,
        lines::lcov,
        lines::cobertura,
        upload::upload,
        uploader::script,
        uploader::digest,
        uploader::gitlab,
        download::download,
        base::read,
        branches::retire,
        trend::points::read,
        repositories::read,
        search::read,
        org_csv::trend,
        org_csv::groups,
        org_csv::movements,
        badge::svg,
        badge::json,
        trend::svg,
        preview::image,
        assets::report,
        health::health,
        health::live,
        health::ready,
        metrics::metrics,
        mcp::serve,
        llms::document,
        document
    ),
    components(schemas(Problem, RecordJson))
)]
struct Interface;

static DOCUMENT: LazyLock<Result<Tagged, serde_json::Error>> =
    LazyLock::new(|| Ok(Tagged::new(text()?.into_bytes())));

/// Returns the document as formatted JSON.
///
/// # Errors
///
/// No known errors: all parts of the document can be written as JSON.
pub fn text() -> Result<String, serde_json::Error> {
    let mut interface = Interface::openapi();
    interface.merge(reports::Interface::openapi());
    let components = interface.components.get_or_insert_default();
    components.schemas.extend(names::all());
    shared::add_schemes(&mut interface);
    shared::add_headers(&mut interface);
    // The licence of the software is not part of its API.
    interface.info.license = None;
    Ok(interface.to_pretty_json()? + "\n")
}

/// This document
///
/// It contains no stored data, so it is public.
#[utoipa::path(
    get,
    path = "/coverages-api/openapi.json",
    operation_id = "openapi",
    tag = "service",
    params(IfNoneMatch),
    responses(
        (status = 200, description = "An OpenAPI 3.1 document.", body = Object, content_type = "application/json"),
        PublicFile
    ),
    security(())
)]
pub(super) async fn document(headers: HeaderMap) -> Result<Response, ApiError> {
    match &*DOCUMENT {
        Ok(document) => Ok(document.clone().answer(&headers, "application/json")),
        Err(error) => Err(ApiError::unavailable(error)),
    }
}
