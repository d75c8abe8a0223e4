//! Files for CI jobs: `GET /upload.sh`, the script that uploads coverage to this service, its SHA-256, and `GET /ci/gitlab.yml`.

use super::{
    etag::plain_text,
    openapi::refusals::{IfNoneMatch, PublicFile},
};
use crate::state::AppState;
use axum::{
    Router,
    extract::State,
    http::{HeaderMap, Method},
    response::Response,
    routing::get,
};
use client::script as uploader;
use domain::text::hexadecimal;
use sha2::{Digest, Sha256};

const SCRIPT: &str = "/upload.sh";
const DIGEST: &str = "/upload.sh.sha256";
const GITLAB: &str = "/ci/gitlab.yml";

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route(SCRIPT, get(script))
        .route(DIGEST, get(digest))
        .route(GITLAB, get(gitlab))
}

/// Whether a request is for a file for jobs, which have no read token. These contain no stored data.
pub(super) fn is_open(method: &Method, path: &str) -> bool {
    [Method::GET, Method::HEAD].contains(method) && [SCRIPT, DIGEST, GITLAB].contains(&path)
}

/// The uploader
///
/// A POSIX shell script that finds the coverage files of a CI job and uploads them to this service. It needs no token to be read.
#[utoipa::path(
    get,
    path = "/upload.sh",
    operation_id = "uploader",
    tag = "uploads",
    params(IfNoneMatch),
    responses((status = 200, description = "The script.", body = String, content_type = "text/plain"), PublicFile),
    security(())
)]
pub(super) async fn script(State(state): State<AppState>, headers: HeaderMap) -> Response {
    plain_text(&headers, uploader::script(&state.public_url.0))
}

/// The SHA-256 of the uploader
///
/// As `sha256sum` writes and checks it.
#[utoipa::path(
    get,
    path = "/upload.sh.sha256",
    operation_id = "uploaderDigest",
    tag = "uploads",
    params(IfNoneMatch),
    responses(
        (status = 200, description = "The digest and the name of the script.", body = String, content_type = "text/plain"),
        PublicFile
    ),
    security(())
)]
pub(super) async fn digest(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let script = uploader::script(&state.public_url.0);
    let digest = hexadecimal(&Sha256::digest(script));
    plain_text(&headers, format!("{digest}  upload.sh\n"))
}

/// The template for GitLab CI
///
/// For `include: remote:` in `.gitlab-ci.yml`: a job that runs the uploader. It needs no token to be read.
#[utoipa::path(
    get,
    path = "/ci/gitlab.yml",
    operation_id = "gitlabTemplate",
    tag = "uploads",
    params(IfNoneMatch),
    responses((status = 200, description = "YAML with inputs.", body = String, content_type = "text/plain"), PublicFile),
    security(())
)]
pub(super) async fn gitlab(State(state): State<AppState>, headers: HeaderMap) -> Response {
    plain_text(&headers, uploader::gitlab(&state.public_url.0))
}
