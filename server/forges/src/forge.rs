//! The differences between the kinds of forges. What GitHub and Gitea have in common is the default.
//!
//! Comments on pull requests:
//!
//! - GitHub: <https://docs.github.com/en/rest/issues/comments>
//! - GitLab: <https://docs.gitlab.com/api/notes/#merge-requests>
//! - Gitea: `POST /repos/{owner}/{repo}/issues/{index}/comments` and `PATCH /repos/{owner}/{repo}/issues/comments/{id}`

mod gitea;
mod github;
mod gitlab;
mod pulls;

pub(crate) use pulls::{Ends, Entry, FEW_ROWS, Pull, Row, RowLines, TreePage};

use crate::{
    CommitStatus, State,
    outbound::Answer,
    refusal::{ForgeRefusal, ForgeRefusalKind},
    verdict::{Containment, Failure, Verdict, limited_for},
};
use config::access::ApiKind;
use domain::{BranchName, CommitHash, Repository};
use http::StatusCode;
use pulls::Pulls;
use reqwest::{Method, Url};
use serde_json::{Value, json};
use std::time::Duration;

/// Names and constants of a kind of forge.
pub(crate) struct Facts {
    /// The name for people.
    pub(crate) name: &'static str,
    /// Whether an org may contain orgs.
    pub(crate) has_nested_groups: bool,
    /// The scheme before the token in the `Authorization` header.
    pub(crate) scheme: &'static str,
    /// Further headers of each request.
    pub(crate) headers: &'static [(&'static str, &'static str)],
    /// The member with the name of a status.
    pub(crate) status_name: &'static str,
    /// The method that edits a comment.
    pub(crate) edit: Method,
    /// The permission for commit statuses.
    pub(crate) right_to_write_statuses: &'static str,
    /// The permission for comparisons.
    pub(crate) right_to_compare: &'static str,
    /// The permission for comments.
    pub(crate) right_to_comment: &'static str,
    /// The permission for pull requests.
    pub(crate) right_to_read_pulls: &'static str,
}

const ACCEPT_JSON: &[(&str, &str)] = &[("accept", "application/json")];

pub(crate) trait Forge: Pulls + Send + Sync {
    fn facts(&self) -> &'static Facts;

    /// Returns the URL that accepts a status.
    fn url(&self, api: &Url, status: &CommitStatus) -> Url {
        let segments = ["statuses", status.commit.as_str()];
        in_repository(api, &status.repository, &segments)
    }

    fn body(&self, status: &CommitStatus) -> Value {
        let state = match status.state {
            State::Pending => "pending",
            State::Success => "success",
            State::Failure => "failure",
            State::Error => "error",
        };
        body(self.facts(), status, state)
    }

    /// Returns the verdict of the answer on the token. The rate limit is not exceeded.
    fn verdict(&self, answer: &Answer, status: &CommitStatus) -> Verdict {
        Verdict::of(answer, self.facts().status_name, status)
    }

    /// Returns the URL that compares a branch with the commit of a status. The branch passes [`Self::may_be_branch`].
    fn comparison_url(&self, api: &Url, status: &CommitStatus, branch: &BranchName) -> Url;

    /// Returns the result of a comparison. The rate limit is not exceeded.
    fn containment(&self, answer: &Answer, commit: &CommitHash) -> Containment;

    /// Returns whether the forge interprets this name only as a branch.
    fn may_be_branch(&self, name: &str) -> bool {
        is_branch_name(name)
    }

    /// Returns how long the rate limit of a token is exceeded, if this answer states so.
    fn limit(&self, answer: &Answer) -> Option<Duration> {
        (answer.status == StatusCode::TOO_MANY_REQUESTS).then(|| limited_for(answer))
    }

    /// Returns the URL of all comments of a pull request.
    fn comments_url(&self, api: &Url, pull: Pull<'_>) -> Url {
        let segments = ["issues", pull.number.as_str(), "comments"];
        in_repository(api, pull.repository, &segments)
    }

    fn comment_url(&self, api: &Url, pull: Pull<'_>, id: &str) -> Url {
        in_repository(api, pull.repository, &["issues", "comments", id])
    }

    /// Returns the query that lists the comments since a moment in RFC 3339, or the newest comments.
    fn since(&self, moment: &str) -> String {
        let moment = moment.replace('+', "%2B");
        format!("per_page=100&limit=100&since={moment}")
    }

    fn author<'a>(&self, comment: &'a Value) -> Option<&'a str> {
        comment.pointer("/user/login")?.as_str()
    }

    /// Returns the URL of a commit, whose answer is small: without its files.
    fn commit_url(&self, api: &Url, repository: &Repository, commit: &CommitHash) -> Url {
        in_repository(api, repository, &["git", "commits", commit.as_str()])
    }

    /// Returns the name of the author of a commit.
    fn commit_author<'a>(&self, commit: &'a Value) -> Option<&'a str> {
        commit.pointer("/author/name")?.as_str()
    }

    /// Checks the names in a status. They become part of an address of the API, so they must not lead to another resource.
    ///
    /// # Errors
    ///
    /// If the org is nested and the forge has no nested orgs, or if the commit is not a full identifier.
    fn check_names(&self, status: &CommitStatus) -> Result<(), ForgeRefusal> {
        let facts = self.facts();
        if !facts.has_nested_groups && status.repository.org.as_str().contains('/') {
            let (name, repository) = (facts.name, &status.repository);
            let detail = format!(
                "{name} has no nested orgs, so this token cannot be for {repository}; correct org_name."
            );
            return Err(ForgeRefusal::new(
                ForgeRefusalKind::NotForRepository,
                detail,
            ));
        }
        if !is_full_hash(status.commit.as_str()) {
            let detail = "must be the full commit identifier of 40 or 64 hexadecimal digits if vcs_api_url is given";
            return Err(ForgeRefusal::new(ForgeRefusalKind::ShortCommit, detail));
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

fn body(facts: &Facts, status: &CommitStatus, state: &str) -> Value {
    let mut body = json!({
        "state": state,
        facts.status_name: status.context,
        "description": status.short_description(),
    });
    if let Some(url) = &status.target_url {
        body["target_url"] = json!(url);
    }
    body
}

/// Interprets an answer that is no comparison.
fn not_compared(answer: &Answer) -> Containment {
    match answer.status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => {
            Containment::Withheld
        }
        _ => Containment::Failed(Failure::of(answer)),
    }
}

/// Returns the body of a successful answer, if it is JSON.
pub(crate) fn good_body(answer: &Answer) -> Option<Value> {
    if answer.status != StatusCode::OK {
        return None;
    }
    serde_json::from_slice(&answer.body).ok()
}

/// Returns an address below the address of an API. Each segment is encoded separately.
fn below(api: &Url, segments: &[&str]) -> Url {
    let mut url = api.clone();
    // This only fails for a URL without a path, and http(s) URLs always have one.
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    url
}

/// Returns an address below a repository of GitHub or Gitea.
fn in_repository(api: &Url, repository: &Repository, segments: &[&str]) -> Url {
    let (org, repo) = (repository.org.as_str(), repository.repo.as_str());
    below(api, &[&["repos", org, repo], segments].concat())
}

/// Whether a text is the full identifier of a commit.
pub(crate) fn is_full_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The longest token that is sent to a forge, in bytes. Tokens of GitHub have about 500.
pub(crate) const LONGEST_TOKEN: usize = 4 << 10;

/// Returns whether a text is a valid branch name in git (git-check-ref-format). A forge that accepts revisions could interpret
/// any other text as a commit.
fn is_branch_name(name: &str) -> bool {
    let has_bad_character = name
        .chars()
        .any(|char| char.is_control() || " ~^:?*[\\".contains(char));
    let has_bad_segment = name.split('/').any(|segment| {
        segment.is_empty() || segment.starts_with('.') || segment.ends_with(".lock")
    });
    !has_bad_character
        && !has_bad_segment
        && !name.contains("..")
        && !name.contains("@{")
        && !name.starts_with('-')
        && !name.ends_with('.')
        && !["HEAD", "@"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_git_branch_names_are_queried() {
        for name in [
            "main",
            "feature/x",
            "ü",
            "release-1.2",
            "a@b",
            "refs/heads/x",
        ] {
            assert!(is_branch_name(name), "{name}");
        }
        for name in [
            "HEAD", "@", "main~3", "main^", "main@{1}", "a..b", "a...b", "x:main", "-x", "/a",
            "a//b", "a/", "a.lock", ".a", "a/.b", "a b", "a\\b", "a?", "a*", "a[",
        ] {
            assert!(!is_branch_name(name), "{name}");
        }
    }
}
