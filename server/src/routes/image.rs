//! Answers that other pages show as an image. Caches must revalidate them.

use super::etag::revalidated;
use crate::http::security::NOSNIFF;
use axum::{
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use domain::{BranchName, Language, Repository};

/// The media type of an image.
pub(super) const SVG: &str = "image/svg+xml; charset=utf-8";

/// Returns an image, or the data of one, as the answer to a request with these `headers`.
pub(super) fn image(headers: &HeaderMap, media_type: &'static str, body: String) -> Response {
    let mut response = revalidated(headers, media_type, body.into_bytes());
    // An SVG that is opened directly is a document, so it needs a policy.
    let policy = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'");
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    response
}

/// What an image is about, by the names in its address.
pub(super) struct Named {
    pub(super) repository: Repository,
    pub(super) branch: Option<BranchName>,
    pub(super) language: Option<Language>,
}

impl Named {
    /// Reads the names; `None` if one is missing or invalid, since an image cannot return an error.
    pub(super) fn read(
        org: Option<&str>,
        repo: Option<&str>,
        branch: Option<&str>,
        language: Option<&str>,
    ) -> Option<Self> {
        Some(Self {
            repository: Repository {
                org: org?.parse().ok()?,
                repo: repo?.parse().ok()?,
            },
            branch: branch.map(str::parse).transpose().ok()?,
            language: language.map(str::parse).transpose().ok()?,
        })
    }
}
