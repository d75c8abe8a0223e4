//! Answers that other pages show as an image. Caches must revalidate them.

use super::{etag::revalidated, parameters::parameters};
use axum::{
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use domain::{BranchName, Language, Repository};

pub(super) const SVG: &str = "image/svg+xml; charset=utf-8";

/// Returns an image, or the data of one, as the answer to a request with these `headers`.
pub(super) fn image(headers: &HeaderMap, media_type: &'static str, body: String) -> Response {
    let mut response = revalidated(headers, media_type, body.into_bytes());
    // An SVG that is opened directly is a document, so it needs a policy.
    let policy = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'");
    response
        .headers_mut()
        .insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

parameters! {
    /// What an image is about. No value is refused: an image cannot return an error.
    #[derive(Default)]
    pub(super) struct NamedParameters {
        /// The org.
        org_name: Option<String> => "acme",
        /// The repository.
        repo_name: Option<String> => "payments",
        /// The branch; by default the main branch.
        branch_name: Option<String> => "main",
        /// The language; by default the last updated one, in a trend one line for each.
        language: Option<String> => "python",
    }
}

/// What an image is about, with valid names.
pub(super) struct Named {
    pub(super) repository: Repository,
    pub(super) branch: Option<BranchName>,
    pub(super) language: Option<Language>,
}

impl NamedParameters {
    /// Reads the names; `None` if one is missing or invalid.
    pub(super) fn named(&self) -> Option<Named> {
        let (org, repo) = (self.org_name.as_deref()?, self.repo_name.as_deref()?);
        // The published Action of the replaced system sends `org/repo` as the repository.
        let own = repo
            .split_at_checked(org.len())
            .filter(|(before, _)| before.eq_ignore_ascii_case(org));
        let repo = own
            .and_then(|(_, rest)| rest.strip_prefix('/'))
            .unwrap_or(repo);
        let (branch, language) = (self.branch_name.as_deref(), self.language.as_deref());
        Some(Named {
            repository: Repository {
                org: org.parse().ok()?,
                repo: repo.parse().ok()?,
            },
            branch: branch.map(str::parse).transpose().ok()?,
            language: language.map(str::parse).transpose().ok()?,
        })
    }
}
