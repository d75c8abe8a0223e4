//! Gitea and Forgejo: `POST /repos/{owner}/{repo}/statuses/{sha}` below `/api/v1`.
//!
//! <https://docs.gitea.com/api/#tag/repository/operation/repoCreateStatus>
//!
//! `GET /repos/{owner}/{repo}/compare/{base}...{head}` shows whether a branch contains a commit: it lists the commits of the head
//! that the base lacks.

mod pulls;

use super::{
    ACCEPT_JSON, Facts, Forge, github, good_body, in_repository, is_branch_name, not_compared,
};
use crate::{CommitStatus, outbound::Answer, verdict::Containment};
use domain::{BranchName, CommitHash, Repository};
use reqwest::{Method, Url};
use serde_json::Value;

pub(super) struct Gitea;

static FACTS: Facts = Facts {
    name: "Gitea",
    has_nested_groups: false,
    scheme: "token",
    headers: ACCEPT_JSON,
    status_name: "context",
    edit: Method::PATCH,
    right_to_write_statuses: "`write:repository`",
    right_to_compare: "`read:repository`",
    right_to_comment: "the scope `write:issue`",
    right_to_read_pulls: "`read:repository`",
};

impl Forge for Gitea {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn comparison_url(&self, api: &Url, status: &CommitStatus, branch: &BranchName) -> Url {
        // The short name: Gitea prefers a branch to a tag of this name, and older versions do not accept full names.
        let mut url = github::comparison_url(api, "", status, branch);
        url.set_query(Some("files=false&verification=false"));
        url
    }

    fn containment(&self, answer: &Answer, _: &CommitHash) -> Containment {
        let body = good_body(answer);
        let more = body.and_then(|body| body.get("total_commits")?.as_u64());
        match more {
            Some(0) => Containment::Contained,
            Some(_) => Containment::Missing,
            None => not_compared(answer),
        }
    }

    fn commit_url(&self, api: &Url, repository: &Repository, commit: &CommitHash) -> Url {
        let segments = ["git", "commits", commit.as_str()];
        let mut url = in_repository(api, repository, &segments);
        url.set_query(Some("stat=false&files=false&verification=false"));
        url
    }

    fn commit_author<'a>(&self, commit: &'a Value) -> Option<&'a str> {
        commit.pointer("/commit/author/name")?.as_str()
    }

    fn may_be_branch(&self, name: &str) -> bool {
        // Without a branch of this name, Gitea would compare the commit with itself.
        let is_commit =
            (4..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_branch_name(name) && !is_commit
    }
}
