//! Gitea and Forgejo: `POST /repos/{owner}/{repo}/statuses/{sha}` below `/api/v1`.
//!
//! <https://docs.gitea.com/api/#tag/repository/operation/repoCreateStatus>

use super::{
    CommitStatus,
    forge::{Forge, secret},
    github,
    verdict::Verdict,
};
use crate::outbound::{Answer, Outbound};
use axum::http::header;
use reqwest::{Method, RequestBuilder, Url};

pub(super) struct Gitea;

impl Forge for Gitea {
    fn name(&self) -> &'static str {
        "Gitea"
    }

    fn request(
        &self,
        outbound: &Outbound,
        api: &Url,
        token: &str,
        status: &CommitStatus,
    ) -> RequestBuilder {
        outbound
            .request(Method::POST, github::url(api, status))
            .header(header::ACCEPT, "application/json")
            .header(header::AUTHORIZATION, secret(&format!("token {token}")))
            .json(&github::body(status))
    }

    fn verdict(&self, answer: &Answer, status: &CommitStatus) -> Verdict {
        Verdict::of(answer, "context", status)
    }
}
