//! Gitea and Forgejo: `POST /repos/{owner}/{repo}/statuses/{sha}` below `/api/v1`.
//!
//! <https://docs.gitea.com/api/#tag/repository/operation/repoCreateStatus>

use super::{
    CommitStatus,
    forge::{Forge, below, secret},
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
        let repository = &status.repository;
        let (org, repo) = (repository.org.as_str(), repository.repo.as_str());
        let url = below(
            api,
            &["repos", org, repo, "statuses", status.commit.as_str()],
        );
        outbound
            .request(Method::POST, url)
            .header(header::ACCEPT, "application/json")
            .header(header::AUTHORIZATION, secret(&format!("token {token}")))
            .json(&github::body(status))
    }

    fn verdict(&self, answer: &Answer, status: &CommitStatus) -> Verdict {
        Verdict::of(answer, "context", status)
    }
}
