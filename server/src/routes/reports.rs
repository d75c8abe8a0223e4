//! `/reports/…`: the HTML report of a record, as pages and as one file.

mod address;
mod answer;
mod body;
mod conditions;
mod document;
mod download;
mod file;
mod file_request;
mod folder_page;
mod located;
mod reader_address;
mod representation;
mod source_address;
mod storage_shim;

use super::{
    openapi::{
        names,
        refusals::{Conditions, IfNoneMatch, NoRecord, NoReport, NotModified},
    },
    record_id::RecordId,
};
use crate::{
    http::{
        error::ApiError,
        security::{ReportHeaders, protect_report},
        surround::surround,
    },
    state::AppState,
};
use access::LinkSigner;
use address::Target;
pub(super) use address::report_path;
use answer::redirect;
use axum::{
    Router,
    extract::{Path, Request, State, rejection::PathRejection},
    response::{IntoResponse, Redirect, Response},
    routing::{MethodRouter, get},
};
use config::Origin;
use document::missing;
use file_request::FileRequest;
use located::Serving;
use reader_address::{admits, alone};
use std::sync::Arc;
use utoipa::OpenApi;

/// These routes in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(whole, start, part_report, file, download::download))]
pub(super) struct Interface;

pub(super) struct Reports {
    headers: Arc<ReportHeaders>,
    serving: Arc<Serving>,
}

impl Reports {
    pub(super) fn new(state: &AppState) -> Self {
        let own_origin = state.reports_origin.as_deref();
        let headers = Arc::new(ReportHeaders::new(own_origin, &state.public_url.0));
        let serving = Arc::new(Serving::new(state, &headers));
        Self { headers, serving }
    }

    pub(super) fn router(&self) -> Router<AppState> {
        self.routes(get(file))
    }

    /// Returns the routes of the dashboard's origin, if reports have their own origin.
    pub(super) fn elsewhere(&self, origin: Arc<Origin>) -> Router<AppState> {
        if self.serving.protection.is_some() {
            // Readers are authenticated on this origin, so addresses are signed here. No uploaded file is shown here.
            return self.routes(get(signed));
        }
        let serving = self.serving.clone();
        let host = origin.to_string();
        let lead = get(async move |request: Request| {
            let request = FileRequest::of(request, serving.protection.is_some());
            match serving.refused(&request, None) {
                Some(refusal) => refusal,
                None => alone(redirect(&request.on_host(&host))),
            }
        });
        Router::new()
            .route("/reports/{id}", lead.clone())
            .route("/reports/{id}/", lead.clone())
            .route("/reports/{id}/{*path}", lead)
            .method_not_allowed_fallback(super::method_not_allowed)
    }

    fn routes(&self, file: MethodRouter<Arc<Serving>>) -> Router<AppState> {
        let routes = Router::new()
            .route("/reports/{id}", get(whole))
            .route("/reports/{id}/", get(start))
            .route("/reports/{id}/{*path}", file)
            .method_not_allowed_fallback(super::method_not_allowed);
        surround(routes, self.headers.clone(), protect_report).with_state(self.serving.clone())
    }
}

/// Whether a path is a signed address of a report, which works without a credential.
pub(super) fn is_signed(links: &LinkSigner, path: &str) -> bool {
    let in_report = path.strip_prefix("/reports/");
    in_report
        .and_then(|path| path.split_once('/'))
        .is_some_and(|(id, path)| admits(links, id, Target::of(path)))
}

/// The report of a record, without the last `/`
///
/// Redirects to the same address with a `/`, since relative links need it.
#[utoipa::path(
    get,
    path = "/reports/{id}",
    operation_id = "reportWithoutSlash",
    tag = "reports",
    params(RecordId),
    responses(
        (
            status = 308,
            description = "Redirects to the same address with a `/`, also if there is no such report.",
            headers(("Location" = String, description = "The address to request instead."))
        ),
        NoRecord
    )
)]
async fn whole(
    State(serving): State<Arc<Serving>>,
    id: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    let request = FileRequest::of(request, serving.protection.is_some());
    if let Some(response) = serving.rejected(&request) {
        return response;
    }
    match id {
        Ok(Path(id)) => match id.strip_suffix(".zip") {
            Some(id) => download::download(&serving, id, &request)
                .await
                .unwrap_or_else(|error| missing(error, &serving, &request, None)),
            None if id.parse().is_ok_and(|id: i64| id > 0) => {
                Redirect::permanent(&report_path(&id, None, "")).into_response()
            }
            None => missing(located::no_report(&id), &serving, &request, None),
        },
        Err(rejection) => missing(unreadable_path(&rejection), &serving, &request, None),
    }
}

/// The report of a record
///
/// Redirects to its start page, at the address of the last uploaded version. With `source`, redirects to the page about that
/// source file, if the names of the pages identify it; with `line` too, to that line, if the tool marked it; with `part` too, in
/// the report of that part.
#[utoipa::path(
    get,
    path = "/reports/{id}/",
    operation_id = "report",
    tag = "reports",
    params(
        RecordId,
        (
            "source" = Option<String>,
            Query,
            description = "The path of a source file, as the record's page shows it.",
            example = "src/fee.rs"
        ),
        ("line" = Option<String>, Query, description = "The number of a line of that file. Anything else is ignored.", example = "41"),
        ("part" = Option<String>, Query, description = "The name of a part; `-` is the unnamed one. Anything else is ignored.", example = "e2e")
    ),
    responses(
        (
            status = 307,
            description = "Redirects to the report. If reading is protected, the address works without a token for a limited time.",
            headers(("Location" = String, description = "The address of the report."))
        ),
        NoReport
    )
)]
async fn start(
    State(serving): State<Arc<Serving>>,
    id: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    let request = FileRequest::of(request, serving.protection.is_some());
    if let Some(response) = serving.rejected(&request) {
        return response;
    }
    let found = match id {
        Ok(Path(id)) => start_address(&serving, &id, &request).await,
        Err(rejection) => Err(unreadable_path(&rejection)),
    };
    match found {
        Ok(address) => serving.redirect_to_version(&address),
        Err(error) => missing(error, &serving, &request, None),
    }
}

/// The address of the start page, or of the page about the source file that a request names.
async fn start_address(
    serving: &Serving,
    id: &str,
    request: &FileRequest,
) -> Result<String, ApiError> {
    serving.check_reader(id, &request.scope).await?;
    if let Some(file) = source_address::named(request) {
        return source_address::address(serving, id, file).await;
    }
    let (id, stored) = serving.find(id).await?;
    let version = serving.version(&stored.key);
    let page = stored.start_page.unwrap_or_default();
    Ok(request.with_query(serving.versioned_address(id, version, &page)))
}

/// The report of a part
///
/// Redirects to its start page, at the address of the last uploaded version; `/reports/{id}/parts/{part}/{path}` redirects to
/// that page of it. If the record has no such part, or the part has no HTML report, the path is in the record's own report.
#[utoipa::path(
    get,
    path = "/reports/{id}/parts/{part}/",
    operation_id = "partReport",
    tag = "reports",
    params(
        RecordId,
        ("part" = names::PartSegment, Path, description = "The name of the part; `-` is the unnamed one.")
    ),
    responses(
        (status = 200, description = "A folder of this name in the record's own report.", content_type = "text/html"),
        (
            status = 307,
            description = "Redirects to the report. If reading is protected, the address works without a token for a limited time.",
            headers(("Location" = String, description = "The address of the report."))
        ),
        NoReport
    )
)]
#[expect(dead_code, reason = "the handler of the files of a report serves it")]
fn part_report() {}

/// A file of a report
///
/// The file as it was uploaded, whole or in part, or a page that lists a folder. Conditions and parts follow RFC 9110.
/// An answer to `path` must be revalidated; below `@version/`, to which `/reports/{id}/` redirects, it never changes.
/// Without the current version, a browser that shows the file is redirected there, and a request for a part of a page
/// is refused.
#[utoipa::path(
    get,
    path = "/reports/{id}/{path}",
    operation_id = "reportFile",
    tag = "reports",
    params(
        RecordId,
        (
            "path" = String,
            Path,
            description = "A path in the report; it may contain `/`.",
            example = "index.html"
        ),
        ("Range" = Option<String>, Header, description = "A part of the file: `bytes=0-99`."),
        IfNoneMatch
    ),
    responses(
        (status = 200, description = "The file.", content_type = "*/*"),
        (status = 206, description = "The requested part.", content_type = "*/*"),
        (
            status = 307,
            description = "Redirects to the current address of the file, or to a folder with a `/`.",
            headers(("Location" = String, description = "The address to request instead."))
        ),
        NotModified,
        NoReport,
        Conditions
    )
)]
async fn file(
    State(serving): State<Arc<Serving>>,
    path: Result<Path<(String, String)>, PathRejection>,
    request: Request,
) -> Response {
    let address = path
        .as_ref()
        .map(|Path((id, path))| (id, path, Target::of(path)));
    let is_open = match (&serving.protection, address) {
        (None, _) => true,
        (Some(protection), Ok((id, _, target))) => admits(&protection.links, id, target),
        (Some(_), Err(_)) => false,
    };
    if !is_open {
        return signed(State(serving), path, request).await;
    }
    let request = FileRequest::of(request, serving.protection.is_some());
    let names_version = address.is_ok_and(|(.., target)| target.segment.is_some());
    if !names_version && let Some(refusal) = serving.refused(&request, None) {
        return refusal;
    }
    let (located, path) = match address {
        Ok((id, path, target)) => match source_address::of_part(&serving, id, path).await {
            Ok(Some(address)) => return serving.redirect_to_version(&request.with_query(address)),
            Ok(None) => (serving.locate(id, target.segment).await, target.path),
            Err(error) => (Err(error), None),
        },
        Err(rejection) => (Err(unreadable_path(rejection)), None),
    };
    match located {
        Ok(located) => {
            let id = located.id;
            let answer = serving.serve(located, path, &request).await;
            answer.unwrap_or_else(|error| missing(error, &serving, &request, Some(id)))
        }
        Err(error) => missing(error, &serving, &request, None),
    }
}

/// If reading is protected, redirects a reader from a path without a valid signature to the same path with one.
async fn signed(
    State(serving): State<Arc<Serving>>,
    path: Result<Path<(String, String)>, PathRejection>,
    request: Request,
) -> Response {
    let request = FileRequest::of(request, serving.protection.is_some());
    if let Some(response) = serving.rejected(&request) {
        return response;
    }
    let address = match path {
        Ok(Path((id, path))) => signed_address(&serving, &id, &path, &request).await,
        Err(rejection) => Err(unreadable_path(&rejection)),
    };
    match address {
        Ok(address) => serving.redirect_to_version(&request.with_query(address)),
        Err(error) => missing(error, &serving, &request, None),
    }
}

/// The address with a signature. An address with the version of a part keeps it.
async fn signed_address(
    serving: &Serving,
    id: &str,
    path: &str,
    request: &FileRequest,
) -> Result<String, ApiError> {
    serving.check_reader(id, &request.scope).await?;
    if let Some(address) = source_address::of_part(serving, id, path).await? {
        return Ok(address);
    }
    let target = Target::of(path);
    let version = target.segment.map(|segment| segment.version);
    let (id, stored) = serving.find_version(id, version).await?;
    let version = serving.version(&stored.key);
    Ok(serving.versioned_address(id, version, target.path.unwrap_or_default()))
}

fn unreadable_path(_: &PathRejection) -> ApiError {
    ApiError::not_found("No report has a file of this name, since its address is not UTF-8.")
}
