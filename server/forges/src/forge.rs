//! What differs between the kinds of forges.

mod address;
mod comments;
mod gitea;
mod github;
mod gitlab;
mod pulls;

pub(crate) use pulls::{Ends, Entry, FEW_ROWS, Pull, Row, RowLines, TreePage};

use crate::{
    CommitStatus,
    containment::{Comparison, Containment, is_branch_name},
    outbound::Answer,
    refusal::ForgeRefusal,
    verdict::{RETRY_SECONDS, Verdict, limited_for, wait},
};
use address::is_full_hash;
use comments::Comments;
use config::access::ApiKind;
use domain::CommitHash;
use http::StatusCode;
use pulls::Pulls;
use reqwest::Url;
use serde_json::Value;
use std::time::Duration;

/// One kind of forge.
pub(crate) trait Forge: Pulls + Comments + Send + Sync {
    /// Returns its name for people.
    fn name(&self) -> &'static str;

    /// Whether orgs can be nested.
    fn has_nested_groups(&self) -> bool {
        false
    }

    /// Returns the scheme before the token in the `Authorization` header.
    fn scheme(&self) -> &'static str {
        "Bearer"
    }

    /// Returns the further headers that it needs.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("accept", "application/json")]
    }

    /// Returns the URL that accepts a status.
    fn url(&self, api: &Url, status: &CommitStatus) -> Url;

    /// Returns the body of a request that writes the status.
    fn body(&self, status: &CommitStatus) -> Value;

    /// Returns what the answer to that request says about the token.
    fn verdict(&self, answer: &Answer, status: &CommitStatus) -> Verdict;

    /// Returns the URL that says whether a branch contains a commit. The branch passes [`Self::may_be_branch`].
    fn comparison_url(&self, api: &Url, comparison: Comparison<'_>) -> Url;

    /// Returns what the answer to that request says.
    fn containment(&self, answer: &Answer, commit: &CommitHash) -> Containment;

    /// Whether the forge takes this name for a branch and nothing else.
    fn may_be_branch(&self, name: &str) -> bool {
        is_branch_name(name)
    }

    /// Returns the permission that a token needs for commit statuses, for people.
    fn right_to_write_statuses(&self) -> &'static str;

    /// Returns how long the forge takes no more calls with a token, if this answer says that its rate limit is exceeded.
    fn limit(&self, answer: &Answer) -> Option<Duration> {
        (answer.status == StatusCode::TOO_MANY_REQUESTS).then(|| limited_for(answer))
    }

    /// Returns the permission that a token needs for comparisons, for people.
    fn right_to_compare(&self) -> &'static str;

    /// Checks the names in a status. They become a path of an API, so they must not lead to another resource.
    ///
    /// # Errors
    ///
    /// For a nested org if the forge has none, and if the commit is not a full identifier.
    fn check_names(&self, status: &CommitStatus) -> Result<(), ForgeRefusal> {
        if !self.has_nested_groups() && status.repository.org.as_str().contains('/') {
            return Err(ForgeRefusal::not_for_repository(format!(
                "{} has no nested orgs, so this token cannot be for {}; correct org_name.",
                self.name(),
                status.repository
            )));
        }
        if is_full_hash(status.commit.as_str()) {
            Ok(())
        } else {
            Err(ForgeRefusal::short_commit())
        }
    }
}

/// The forge of a kind.
pub(crate) fn of(kind: ApiKind) -> &'static dyn Forge {
    match kind {
        ApiKind::GitHub => &github::GitHub,
        ApiKind::GitLab => &gitlab::GitLab,
        ApiKind::Gitea => &gitea::Gitea,
    }
}

/// Interprets an answer that is not the result of a comparison.
fn not_compared(answer: &Answer) -> Containment {
    match answer.status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => {
            Containment::Withheld
        }
        StatusCode::TOO_MANY_REQUESTS => Containment::Busy(limited_for(answer)),
        status if status.is_server_error() => Containment::Down(wait(answer, RETRY_SECONDS)),
        other => Containment::Strange(other),
    }
}

/// Returns the body of a successful answer, if it is JSON.
fn good_body(answer: &Answer) -> Option<Value> {
    let is_ok = answer.status == StatusCode::OK;
    is_ok
        .then(|| serde_json::from_slice(&answer.body).ok())
        .flatten()
}

/// Bytes of the longest token that is sent to a forge. GitHub's have about 500.
pub(crate) const LONGEST_TOKEN: usize = 4 << 10;
