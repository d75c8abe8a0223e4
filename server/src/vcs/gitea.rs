//! Gitea and Forgejo: `POST /repos/{owner}/{repo}/statuses/{sha}` below `/api/v1`.
//!
//! <https://docs.gitea.com/api/#tag/repository/operation/repoCreateStatus>

use super::{CommitStatus, forge::Forge, github, verdict::Verdict};
use crate::outbound::Answer;
use reqwest::Url;
use serde_json::Value;

pub(super) struct Gitea;

impl Forge for Gitea {
    fn name(&self) -> &'static str {
        "Gitea"
    }

    fn scheme(&self) -> &'static str {
        "token"
    }

    fn url(&self, api: &Url, status: &CommitStatus) -> Url {
        github::url(api, status)
    }

    fn body(&self, status: &CommitStatus) -> Value {
        github::body(status)
    }

    fn verdict(&self, answer: &Answer, status: &CommitStatus) -> Verdict {
        Verdict::of(answer, "context", status)
    }
}
