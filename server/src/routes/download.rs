//! `GET /download/{target}`: the binary of this service, so that jobs and laptops ask no other host; and its SHA-256.

use super::{
    etag::{revalidated, streamed},
    openapi::{
        refusals::{Missing, Unexpected},
        revalidated::{IfNoneMatch, NotModified},
    },
};
use crate::{http::error::ApiError, state::AppState, text::hexadecimal};
use axum::{
    Router,
    body::Body,
    extract::{Path, rejection::PathRejection},
    http::{HeaderMap, HeaderValue, Method, header},
    response::Response,
    routing::get,
};
use sha2::{Digest, Sha256};
use std::{
    env::consts::{ARCH, OS},
    io::{self, Read},
};
use tokio::{fs::File, sync::OnceCell, task};
use tokio_util::io::ReaderStream;

const FOLDER: &str = "/download/";

/// The file of this process, also if another version has replaced it on the disk.
const OWN: &str = "/proc/self/exe";

/// Returns the routes of the binary.
pub(super) fn router() -> Router<AppState> {
    Router::new().route("/download/{target}", get(download))
}

/// Whether a request is for the binary, which jobs get without a read token.
pub(super) fn is_open(method: &Method, path: &str) -> bool {
    [Method::GET, Method::HEAD].contains(method) && path.starts_with(FOLDER)
}

/// The binary of this service
///
/// For the commands `check`, `diff`, `pull` and `upload` in jobs and on laptops. With `.sha256` at its end: the digest, as `sha256sum`
/// writes and checks it. It needs no token to be read.
#[utoipa::path(
    get,
    path = "/download/{target}",
    operation_id = "download",
    tag = "uploads",
    params(
        ("target" = String, Path, description = "The architecture and the system of this service; only its own binary can be had.", example = "x86_64-linux"),
        IfNoneMatch
    ),
    responses(
        (status = 200, description = "The binary, or the digest and its name.", body = Vec<u8>, content_type = "application/octet-stream"),
        NotModified,
        Missing,
        Unexpected
    ),
    security(())
)]
pub(super) async fn download(
    headers: HeaderMap,
    target: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    let own = format!("{ARCH}-{OS}");
    let name = target.map(|Path(name)| name).unwrap_or_default();
    let wanted = name.strip_suffix(".sha256");
    if wanted.unwrap_or(&name) != own {
        let detail = format!("This service has only its own binary: {FOLDER}{own}.");
        return Err(ApiError::not_found(detail));
    }
    let digest = digest()
        .await
        .map_err(|error| ApiError::unavailable(&error))?;
    if wanted.is_some() {
        let text = format!("{digest}  coverage-dashboard\n");
        return Ok(revalidated(
            &headers,
            "text/plain; charset=utf-8",
            text.into_bytes(),
        ));
    }
    let opened = async {
        let file = File::open(OWN).await?;
        let bytes = file.metadata().await?.len();
        Ok::<_, io::Error>((file, bytes))
    };
    let (file, bytes) = opened
        .await
        .map_err(|error| ApiError::unavailable(&error))?;
    let body = || Body::from_stream(ReaderStream::new(file));
    let mut answer = streamed(&headers, "application/octet-stream", &digest, body);
    if answer.status().is_success() {
        let headers = answer.headers_mut();
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes));
        let name = HeaderValue::from_static("attachment; filename=\"coverage-dashboard\"");
        headers.insert(header::CONTENT_DISPOSITION, name);
    }
    Ok(answer)
}

/// The SHA-256 of the binary, computed once.
async fn digest() -> io::Result<String> {
    static DIGEST: OnceCell<String> = OnceCell::const_new();
    let computed = DIGEST.get_or_try_init(|| async {
        let computing = task::spawn_blocking(|| {
            let mut file = std::fs::File::open(OWN)?;
            let mut digest = Sha256::new();
            let mut piece = vec![0; 64 << 10];
            loop {
                match file.read(&mut piece)? {
                    0 => break,
                    length => digest.update(&piece[..length]),
                }
            }
            Ok(hexadecimal(&digest.finalize()))
        });
        computing.await.map_err(io::Error::other)?
    });
    computed.await.cloned()
}
