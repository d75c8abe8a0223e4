//! GitHub and GitHub Enterprise: `POST /repos/{owner}/{repo}/statuses/{sha}`.
//!
//! <https://docs.github.com/en/rest/commits/statuses#create-a-commit-status>

use super::{
    CommitStatus, State,
    forge::{Forge, below},
    message,
    verdict::{Verdict, wait},
};
use crate::outbound::Answer;
use axum::http::{StatusCode, header};
use reqwest::Url;
use serde_json::{Value, json};

pub(super) struct GitHub;

impl Forge for GitHub {
    fn name(&self) -> &'static str {
        "GitHub"
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("accept", "application/vnd.github+json"),
            ("x-github-api-version", "2022-11-28"),
        ]
    }

    fn url(&self, api: &Url, status: &CommitStatus) -> Url {
        url(api, status)
    }

    fn body(&self, status: &CommitStatus) -> Value {
        body(status)
    }

    fn verdict(&self, answer: &Answer, status: &CommitStatus) -> Verdict {
        // <https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api>: 403 may mean either.
        let left = answer.headers.get("x-ratelimit-remaining");
        let is_limited = left.is_some_and(|left| left == "0")
            || answer.headers.contains_key(header::RETRY_AFTER);
        let is_limited = is_limited || message(answer).contains("rate limit");
        match answer.status {
            StatusCode::FORBIDDEN if is_limited => Verdict::Busy(wait(answer, 60)),
            _ => Verdict::of(answer, "context", status),
        }
    }
}

/// Where GitHub and Gitea take a status.
pub(super) fn url(api: &Url, status: &CommitStatus) -> Url {
    let (repository, commit) = (&status.repository, &status.commit);
    let (org, repo) = (repository.org.as_str(), repository.repo.as_str());
    below(api, &["repos", org, repo, "statuses", commit.as_str()])
}

/// The body that GitHub and Gitea take.
pub(super) fn body(status: &CommitStatus) -> Value {
    let state = match status.state {
        State::Pending => "pending",
        State::Success => "success",
        State::Failure => "failure",
        State::Error => "error",
    };
    let mut body = json!({
        "state": state,
        "context": status.context,
        "description": status.short_description(),
    });
    if let Some(url) = &status.target_url {
        body["target_url"] = json!(url);
    }
    body
}
