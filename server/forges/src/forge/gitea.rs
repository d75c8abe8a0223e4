//! Gitea and Forgejo: `POST /repos/{owner}/{repo}/statuses/{sha}` below `/api/v1`.
//!
//! <https://docs.gitea.com/api/#tag/repository/operation/repoCreateStatus>
//!
//! `GET /repos/{owner}/{repo}/compare/{base}...{head}` shows whether a branch contains a commit: it lists the commits of the head
//! that the base lacks.

mod pulls;

use super::{Forge, github, good_body, is_branch_name, not_compared};
use crate::{CommitStatus, outbound::Answer, verdict::Containment};
use domain::{BranchName, CommitHash};
use reqwest::Url;

pub(super) struct Gitea;

impl Forge for Gitea {
    fn name(&self) -> &'static str {
        "Gitea"
    }

    fn scheme(&self) -> &'static str {
        "token"
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

    fn right_to_write_statuses(&self) -> &'static str {
        "`write:repository`"
    }

    fn right_to_compare(&self) -> &'static str {
        "`read:repository`"
    }

    fn may_be_branch(&self, name: &str) -> bool {
        // Without a branch of this name, Gitea would compare the commit with itself.
        let is_commit =
            (4..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_branch_name(name) && !is_commit
    }

    fn right_to_comment(&self) -> &'static str {
        "the scope `write:issue`"
    }
}
