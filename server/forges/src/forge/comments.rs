//! The differences between the kinds of forges in comments on pull requests.
//!
//! - GitHub: <https://docs.github.com/en/rest/issues/comments>
//! - GitLab: <https://docs.gitlab.com/api/notes/#merge-requests>
//! - Gitea: `POST /repos/{owner}/{repo}/issues/{index}/comments` and `PATCH /repos/{owner}/{repo}/issues/comments/{id}`

use super::{Pull, address::below};
use crate::outbound::Answer;
use reqwest::{Method, Url};
use serde_json::Value;

pub(crate) trait Comments {
    /// Returns the URL of all comments of a pull request.
    fn comments_url(&self, api: &Url, pull: Pull<'_>) -> Url {
        let (org, repo) = (pull.repository.org.as_str(), pull.repository.repo.as_str());
        below(
            api,
            &[
                "repos",
                org,
                repo,
                "issues",
                pull.number.as_str(),
                "comments",
            ],
        )
    }

    fn comment_url(&self, api: &Url, pull: Pull<'_>, id: &str) -> Url {
        let (org, repo) = (pull.repository.org.as_str(), pull.repository.repo.as_str());
        below(api, &["repos", org, repo, "issues", "comments", id])
    }

    fn edit(&self) -> Method {
        Method::PATCH
    }

    /// Returns the query that lists the comments since a moment in RFC 3339, or the newest comments.
    fn since(&self, moment: &str) -> String {
        format!(
            "per_page=100&limit=100&since={}",
            moment.replace('+', "%2B")
        )
    }

    fn author<'a>(&self, comment: &'a Value) -> Option<&'a str> {
        comment.pointer("/user/login")?.as_str()
    }

    /// Returns the name of the permission for comments.
    fn right_to_comment(&self) -> &'static str;

    /// Returns whether a refusal means that the rate limit is exceeded.
    fn limits_comments(&self, _: &Answer) -> bool {
        false
    }
}

/// Returns the addresses of the notes of GitLab's merge requests.
pub(super) fn gitlab_notes(api: &Url, pull: Pull<'_>, id: Option<&str>) -> Url {
    let project = pull.repository.to_string();
    let notes = [
        "projects",
        &project,
        "merge_requests",
        pull.number.as_str(),
        "notes",
    ];
    let segments: Vec<_> = notes.into_iter().chain(id).collect();
    below(api, &segments)
}
