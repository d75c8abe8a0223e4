//! Commits of the forge stand-ins, for their authors.

use super::{ForgeStandIn, GOOD, Kind, Shared, answers::refuse};
use axum::{
    http::{HeaderMap, Uri, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

impl Kind {
    /// The commit that a request is about.
    fn commit(self, uri: &Uri) -> Option<&str> {
        let path = uri.path().strip_prefix(self.base())?;
        let segments: Vec<_> = path.split('/').skip(1).collect();
        match (self, &segments[..]) {
            (Self::GitLab, ["projects", _, "repository", "commits", sha]) => Some(sha),
            (Self::GitHub | Self::Gitea, ["repos", _, _, "git", "commits", sha]) => Some(sha),
            _ => None,
        }
    }
}

impl Shared {
    /// The answer about a commit whose author the test has set.
    pub(super) fn answer_about_author(&self, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
        let sha = self.kind.commit(uri)?;
        let name = self.authors.lock().unwrap().get(sha)?.clone();
        self.authored.lock().unwrap().push(sha.to_owned());
        let authorization = headers[header::AUTHORIZATION].to_str().unwrap();
        if authorization.split_once(' ').unwrap().1 != GOOD {
            return Some(refuse(404, "Not Found"));
        }
        let author =
            json!({ "name": name, "email": "x@example.com", "date": "2026-01-01T00:00:00Z" });
        let answer = match self.kind {
            Kind::GitHub => json!({ "sha": sha, "author": author, "message": "More" }),
            Kind::GitLab => json!({ "id": sha, "author_name": name, "title": "More" }),
            Kind::Gitea => json!({ "sha": sha, "author": null, "commit": { "author": author } }),
        };
        Some(axum::Json(answer).into_response())
    }
}

impl ForgeStandIn {
    /// Sets the author of a commit.
    pub fn set_author(&self, sha: &str, name: &str) {
        let mut authors = self.shared.authors.lock().unwrap();
        authors.insert(sha.to_owned(), name.to_owned());
    }

    /// The commits whose authors were requested.
    pub fn authored(&self) -> Vec<String> {
        self.shared.authored.lock().unwrap().clone()
    }
}
