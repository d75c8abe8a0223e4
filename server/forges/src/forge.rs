//! The differences between the kinds of forges.

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

/// A kind of forge.
pub(crate) trait Forge: Pulls + Comments + Send + Sync {
    /// Returns the name for people.
    fn name(&self) -> &'static str;

    fn has_nested_groups(&self) -> bool {
        false
    }

    /// Returns the scheme before the token in the `Authorization` header.
    fn scheme(&self) -> &'static str {
        "Bearer"
    }

    /// Returns further headers of each request.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("accept", "application/json")]
    }

    /// Returns the URL that accepts a status.
    fn url(&self, api: &Url, status: &CommitStatus) -> Url;

    fn body(&self, status: &CommitStatus) -> Value;

    /// Returns the verdict of the answer on the token.
    fn verdict(&self, answer: &Answer, status: &CommitStatus) -> Verdict;

    /// Returns the URL that compares a branch with a commit. The branch passes [`Self::may_be_branch`].
    fn comparison_url(&self, api: &Url, comparison: Comparison<'_>) -> Url;

    /// Returns the result of a comparison.
    fn containment(&self, answer: &Answer, commit: &CommitHash) -> Containment;

    /// Returns whether the forge interprets this name only as a branch.
    fn may_be_branch(&self, name: &str) -> bool {
        is_branch_name(name)
    }

    /// Returns the name of the permission for commit statuses.
    fn right_to_write_statuses(&self) -> &'static str;

    /// Returns how long the rate limit of a token is exceeded, if this answer states so.
    fn limit(&self, answer: &Answer) -> Option<Duration> {
        (answer.status == StatusCode::TOO_MANY_REQUESTS).then(|| limited_for(answer))
    }

    /// Returns the name of the permission for comparisons.
    fn right_to_compare(&self) -> &'static str;

    /// Checks the names in a status. They become part of an address of the API, so they must not lead to another resource.
    ///
    /// # Errors
    ///
    /// If the org is nested and the forge has no nested orgs, or if the commit is not a full identifier.
    fn check_names(&self, status: &CommitStatus) -> Result<(), ForgeRefusal> {
        if !self.has_nested_groups() && status.repository.org.as_str().contains('/') {
            return Err(ForgeRefusal::not_for_repository(format!(
                "{} has no nested orgs, so this token cannot be for {}; correct org_name.",
                self.name(),
                status.repository
            )));
        }
        if !is_full_hash(status.commit.as_str()) {
            return Err(ForgeRefusal::short_commit());
        }
        Ok(())
    }
}

pub(crate) fn of(kind: ApiKind) -> &'static dyn Forge {
    match kind {
        ApiKind::GitHub => &github::GitHub,
        ApiKind::GitLab => &gitlab::GitLab,
        ApiKind::Gitea => &gitea::Gitea,
    }
}

/// Interprets an answer that is no comparison.
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
    if answer.status != StatusCode::OK {
        return None;
    }
    serde_json::from_slice(&answer.body).ok()
}

/// The longest token that is sent to a forge, in bytes. Tokens of GitHub have about 500.
pub(crate) const LONGEST_TOKEN: usize = 4 << 10;
