//! What is different from one kind of forge to the next.

use super::{
    CommitStatus,
    containment::{Comparison, Containment, is_branch_name},
    verdict::{RETRY_SECONDS, Verdict, wait},
};
use crate::{
    forges::outbound::Answer,
    http::error::{ApiError, ParameterErrors},
};
use axum::http::StatusCode;
use domain::CommitHash;
use reqwest::Url;
use serde_json::Value;

/// One kind of forge.
pub(super) trait Forge: Send + Sync {
    /// What people call it.
    fn name(&self) -> &'static str;

    /// Whether orgs may be in orgs.
    fn has_nested_groups(&self) -> bool {
        false
    }

    /// What stands before a token in its header.
    fn scheme(&self) -> &'static str {
        "Bearer"
    }

    /// What else it wants to be told in headers.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("accept", "application/json")]
    }

    /// Where it takes a status.
    fn url(&self, api: &Url, status: &CommitStatus) -> Url;

    /// The status as it takes it.
    fn body(&self, status: &CommitStatus) -> Value;

    /// What the answer to it says of the token.
    fn verdict(&self, answer: &Answer, status: &CommitStatus) -> Verdict;

    /// Where it says whether a branch contains a commit. The branch [may be one](Self::may_be_branch).
    fn comparison_url(&self, api: &Url, comparison: Comparison<'_>) -> Url;

    /// What the answer to that says.
    fn containment(&self, answer: &Answer, commit: &CommitHash) -> Containment;

    /// Whether a name can only be that of a branch there.
    fn may_be_branch(&self, name: &str) -> bool {
        is_branch_name(name)
    }

    /// The right that a token needs in order to be told, for people.
    fn right_to_compare(&self) -> &'static str;

    /// Whether a status can be for what these names say. They become a path in an API in which others may be written to,
    /// so they have to be exactly what they seem.
    ///
    /// # Errors
    ///
    /// 403 `token_not_for_repository` for a nested org where there are none; 422 for a commit that is no full identifier.
    fn check_names(&self, status: &CommitStatus) -> Result<(), ApiError> {
        if !self.has_nested_groups() && status.repository.org.as_str().contains('/') {
            return Err(ApiError::token_not_for_repository(format!(
                "{} has no nested orgs, so that the token cannot be for {}.",
                self.name(),
                status.repository
            )));
        }
        let commit = status.commit.as_str();
        let is_full =
            matches!(commit.len(), 40 | 64) && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        match is_full {
            true => Ok(()),
            false => Err(ApiError::parameters(ParameterErrors::from([(
                "commit_hash",
                "must be the full commit identifier of 40 or 64 hexadecimal digits where vcs_api_url is given".to_owned(),
            )]))),
        }
    }
}

/// What an answer says of a branch and a commit where it is none that a comparison has.
pub(super) fn not_compared(answer: &Answer) -> Containment {
    match answer.status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => {
            Containment::Withheld
        }
        StatusCode::TOO_MANY_REQUESTS => Containment::Busy(wait(answer, 60)),
        status if status.is_server_error() => Containment::Down(wait(answer, RETRY_SECONDS)),
        other => Containment::Strange(other),
    }
}

/// The body of a good answer, as far as it is JSON.
pub(super) fn good_body(answer: &Answer) -> Option<Value> {
    let is_good = answer.status == StatusCode::OK;
    is_good
        .then(|| serde_json::from_slice(&answer.body).ok())
        .flatten()
}

/// An address below that of an API. Each segment is encoded as one.
pub(super) fn below(api: &Url, segments: &[&str]) -> Url {
    let mut url = api.clone();
    // Web addresses always have a path, which is all that could fail.
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    url
}

/// Bytes of the longest token that is sent to a service. Those of GitHub have some 500.
pub(super) const LONGEST_TOKEN: usize = 4 << 10;
