//! GitHub and GitHub Enterprise: `POST /repos/{owner}/{repo}/statuses/{sha}`.
//!
//! <https://docs.github.com/en/rest/commits/statuses#create-a-commit-status>
//!
//! `GET /repos/{owner}/{repo}/compare/{base}...{head}` shows whether a branch contains a commit:
//! <https://docs.github.com/en/rest/commits/commits#compare-two-commits>

mod pulls;

pub(super) use pulls::pull_url;

use super::{Forge, address::below, comments::Comments, good_body, not_compared};
use crate::{
    CommitStatus, State,
    containment::{Comparison, Containment},
    message,
    outbound::Answer,
    verdict::{Verdict, limited_for},
};
use domain::CommitHash;
use http::{StatusCode, header};
use reqwest::Url;
use serde_json::{Value, json};
use std::time::Duration;

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
        match self.limit(answer) {
            Some(wait) => Verdict::Busy(wait),
            None => Verdict::of(answer, "context", status),
        }
    }

    fn comparison_url(&self, api: &Url, comparison: Comparison<'_>) -> Url {
        // The full name, because a tag may have the same name. One commit for each page, because commits are not read.
        let mut url = comparison_url(api, "refs/heads/", comparison);
        url.set_query(Some("per_page=1&page=1"));
        url
    }

    fn containment(&self, answer: &Answer, _: &CommitHash) -> Containment {
        if let Some(wait) = self.limit(answer) {
            return Containment::Busy(wait);
        }
        let body = good_body(answer);
        let status = body.as_ref().and_then(|body| body.get("status")?.as_str());
        match status {
            Some("behind" | "identical") => Containment::Contained,
            Some("ahead" | "diverged") => Containment::Missing,
            _ => not_compared(answer),
        }
    }

    fn right_to_write_statuses(&self) -> &'static str {
        "`statuses: write`"
    }

    fn limit(&self, answer: &Answer) -> Option<Duration> {
        let is_over = answer.status == StatusCode::TOO_MANY_REQUESTS || is_limited(answer);
        is_over.then(|| limited_for(answer))
    }

    fn right_to_compare(&self) -> &'static str {
        "`contents: read`"
    }
}

impl Comments for GitHub {
    fn right_to_comment(&self) -> &'static str {
        "`pull-requests: write`"
    }

    fn limits_comments(&self, answer: &Answer) -> bool {
        is_limited(answer)
    }
}

/// <https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api>: 403 means "forbidden" or "rate limited".
pub(super) fn is_limited(answer: &Answer) -> bool {
    let left = answer.headers.get("x-ratelimit-remaining");
    answer.status == StatusCode::FORBIDDEN
        && (left.is_some_and(|left| left == "0")
            || answer.headers.contains_key(header::RETRY_AFTER)
            || message(answer).contains("rate limit"))
}

pub(super) fn comparison_url(api: &Url, prefix: &str, comparison: Comparison<'_>) -> Url {
    let Comparison {
        repository,
        branch,
        commit,
    } = comparison;
    let (org, repo) = (repository.org.as_str(), repository.repo.as_str());
    let base_and_head = format!("{prefix}{branch}...{commit}");
    let mut segments = vec!["repos", org, repo, "compare"];
    segments.extend(base_and_head.split('/'));
    below(api, &segments)
}

pub(super) fn url(api: &Url, status: &CommitStatus) -> Url {
    let (repository, commit) = (&status.repository, &status.commit);
    let (org, repo) = (repository.org.as_str(), repository.repo.as_str());
    below(api, &["repos", org, repo, "statuses", commit.as_str()])
}

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
