//! `GET /download/{target}`: the program for jobs and laptops, so that they need no other host; and its SHA-256.

mod programs;

use super::{
    etag::{plain_text, streamed},
    openapi::refusals::{IfNoneMatch, Missing, PublicFile},
};
use crate::{http::error::ApiError, state::AppState};
use axum::{
    Router,
    body::Body,
    extract::{Path, rejection::PathRejection},
    http::{HeaderMap, HeaderValue, Method, header},
    response::Response,
    routing::get,
};
use tokio_util::io::ReaderStream;

const FOLDER: &str = "/download/";

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/download/{target}", get(download))
}

/// Whether a request is for a program, which jobs get without a read token.
pub(super) fn is_open(method: &Method, path: &str) -> bool {
    [Method::GET, Method::HEAD].contains(method) && path.starts_with(FOLDER)
}

/// The program for jobs and laptops
///
/// It has the commands `check`, `diff`, `pull` and `upload`. With `.sha256` at its end: the digest, as `sha256sum` writes and checks
/// it. It needs no token to be read.
#[utoipa::path(
    get,
    path = "/download/{target}",
    tag = "uploads",
    params(
        ("target" = String, Path, description = "The architecture and the system that the program is for. Every service has at least the program for its own.", example = "x86_64-linux"),
        IfNoneMatch
    ),
    responses(
        (status = 200, description = "The program, or the digest and its name.", body = Vec<u8>, content_type = "application/octet-stream"),
        PublicFile,
        Missing
    ),
    security(())
)]
pub(super) async fn download(
    headers: HeaderMap,
    target: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    let name = target.map(|Path(name)| name).unwrap_or_default();
    let wanted = name.strip_suffix(".sha256");
    let failed = |error| ApiError::unavailable(&error);
    let found = programs::find(wanted.unwrap_or(&name)).await;
    let Some(program) = found.map_err(failed)? else {
        let targets = programs::targets().await.map_err(failed)?;
        let targets: Vec<_> = targets.iter().map(|of| format!("{FOLDER}{of}")).collect();
        let detail = format!("This service has these programs: {}.", targets.join(", "));
        return Err(ApiError::not_found(detail));
    };
    if wanted.is_some() {
        let text = format!("{}  coverage-dashboard\n", program.digest);
        return Ok(plain_text(&headers, text));
    }
    let body = || Body::from_stream(ReaderStream::new(program.file));
    let mut answer = streamed(&headers, "application/octet-stream", &program.digest, body);
    if answer.status().is_success() {
        let headers = answer.headers_mut();
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(program.bytes));
        let name = HeaderValue::from_static("attachment; filename=\"coverage-dashboard\"");
        headers.insert(header::CONTENT_DISPOSITION, name);
    }
    Ok(answer)
}
