//! The differences between the kinds of forges in comments on pull requests.
//!
//! - GitHub: <https://docs.github.com/en/rest/issues/comments>
//! - GitLab: <https://docs.gitlab.com/api/notes/#merge-requests>
//! - Gitea: `POST /repos/{owner}/{repo}/issues/{index}/comments` and `PATCH /repos/{owner}/{repo}/issues/comments/{id}`

use super::{Pull, in_repository};
use reqwest::{Method, Url};
use serde_json::Value;

pub(crate) trait Comments {
    /// Returns the URL of all comments of a pull request.
    fn comments_url(&self, api: &Url, pull: Pull<'_>) -> Url {
        let segments = ["issues", pull.number.as_str(), "comments"];
        in_repository(api, pull.repository, &segments)
    }

    fn comment_url(&self, api: &Url, pull: Pull<'_>, id: &str) -> Url {
        in_repository(api, pull.repository, &["issues", "comments", id])
    }

    fn edit(&self) -> Method {
        Method::PATCH
    }

    /// Returns the query that lists the comments since a moment in RFC 3339, or the newest comments.
    fn since(&self, moment: &str) -> String {
        let moment = moment.replace('+', "%2B");
        format!("per_page=100&limit=100&since={moment}")
    }

    fn author<'a>(&self, comment: &'a Value) -> Option<&'a str> {
        comment.pointer("/user/login")?.as_str()
    }

    /// Returns the name of the permission for comments.
    fn right_to_comment(&self) -> &'static str;
}
