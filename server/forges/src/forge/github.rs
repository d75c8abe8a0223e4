//! GitHub and GitHub Enterprise: `POST /repos/{owner}/{repo}/statuses/{sha}`.
//!
//! <https://docs.github.com/en/rest/commits/statuses#create-a-commit-status>
//!
//! `GET /repos/{owner}/{repo}/compare/{base}...{head}` shows whether a branch contains a commit:
//! <https://docs.github.com/en/rest/commits/commits#compare-two-commits>

mod pulls;

use super::{Facts, Forge, good_body, in_repository, not_compared};
use crate::{
    CommitStatus, message,
    outbound::Answer,
    verdict::{Containment, limited_for},
};
use domain::{BranchName, CommitHash};
use http::{StatusCode, header};
use reqwest::{Method, Url};
use std::time::Duration;

pub(super) struct GitHub;

static FACTS: Facts = Facts {
    name: "GitHub",
    has_nested_groups: false,
    scheme: "Bearer",
    headers: &[
        ("accept", "application/vnd.github+json"),
        ("x-github-api-version", "2022-11-28"),
    ],
    status_name: "context",
    edit: Method::PATCH,
    right_to_write_statuses: "`statuses: write`",
    right_to_compare: "`contents: read`",
    right_to_comment: "`pull-requests: write`",
    right_to_read_pulls: "`contents: read` and `pull-requests: read`",
};

impl Forge for GitHub {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn comparison_url(&self, api: &Url, status: &CommitStatus, branch: &BranchName) -> Url {
        // The full name, because a tag may have the same name. One commit for each page, because commits are not read.
        let mut url = comparison_url(api, "refs/heads/", status, branch);
        url.set_query(Some("per_page=1&page=1"));
        url
    }

    fn containment(&self, answer: &Answer, _: &CommitHash) -> Containment {
        let body = good_body(answer);
        let status = body.as_ref().and_then(|body| body.get("status")?.as_str());
        match status {
            Some("behind" | "identical") => Containment::Contained,
            Some("ahead" | "diverged") => Containment::Missing,
            _ => not_compared(answer),
        }
    }

    fn limit(&self, answer: &Answer) -> Option<Duration> {
        let is_over = answer.status == StatusCode::TOO_MANY_REQUESTS || is_limited(answer);
        is_over.then(|| limited_for(answer))
    }
}

/// <https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api>: 403 means "forbidden" or "rate limited".
fn is_limited(answer: &Answer) -> bool {
    let left = answer.headers.get("x-ratelimit-remaining");
    answer.status == StatusCode::FORBIDDEN
        && (left.is_some_and(|left| left == "0")
            || answer.headers.contains_key(header::RETRY_AFTER)
            || message(answer).contains("rate limit"))
}

pub(super) fn comparison_url(
    api: &Url,
    prefix: &str,
    status: &CommitStatus,
    branch: &BranchName,
) -> Url {
    let base_and_head = format!("{prefix}{branch}...{}", status.commit);
    let segments = ["compare"].into_iter().chain(base_and_head.split('/'));
    in_repository(api, &status.repository, &segments.collect::<Vec<_>>())
}
