//! GitLab: `POST /projects/{path}/statuses/{sha}` below `/api/v4`, which also stores the coverage.
//!
//! <https://docs.gitlab.com/api/commits/#set-commit-pipeline-status>
//!
//! `GET /projects/{path}/repository/merge_base` shows whether a branch contains a commit:
//! <https://docs.gitlab.com/api/repositories/#get-merge-base>

mod pulls;

use super::{ACCEPT_JSON, Facts, Forge, Pull, below, good_body, not_compared};
use crate::{
    CommitStatus, State, message,
    outbound::Answer,
    verdict::{Containment, Verdict},
};
use domain::{BranchName, CommitHash, Repository};
use http::StatusCode;
use reqwest::{Method, Url};
use serde_json::{Value, json};

pub(super) struct GitLab;

static FACTS: Facts = Facts {
    name: "GitLab",
    has_nested_groups: true,
    scheme: "Bearer",
    headers: ACCEPT_JSON,
    status_name: "name",
    edit: Method::PUT,
    right_to_write_statuses: "the scope `api` and the role Developer",
    right_to_compare: "the scope `api` or `read_api`",
    right_to_comment: "the scope `api` (a job token may not comment)",
    right_to_read_pulls: "the scope `read_api`",
};

impl Forge for GitLab {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn url(&self, api: &Url, status: &CommitStatus) -> Url {
        in_project(
            api,
            &status.repository,
            &["statuses", status.commit.as_str()],
        )
    }

    fn body(&self, status: &CommitStatus) -> Value {
        let state = match status.state {
            State::Pending => "pending",
            State::Success => "success",
            // GitLab has one state for failures and errors.
            State::Failure | State::Error => "failed",
        };
        let mut body = super::body(&FACTS, status, state);
        if let Some(branch) = &status.branch {
            body["ref"] = json!(branch.as_str());
        }
        if let Some(coverage) = status.coverage {
            body["coverage"] = json!(f64::from(coverage.basis_points()) / 100.0);
        }
        body
    }

    fn verdict(&self, answer: &Answer, status: &CommitStatus) -> Verdict {
        match answer.status {
            // A pending status cannot become pending again. GitLab answers this only to a token that may write the status.
            StatusCode::BAD_REQUEST if message(answer).starts_with("Cannot transition status") => {
                match status.state {
                    State::Pending => Verdict::Written,
                    _ => Verdict::Unchanged,
                }
            }
            StatusCode::METHOD_NOT_ALLOWED if message(answer).contains("moved") => {
                Verdict::Moved(None)
            }
            StatusCode::NOT_FOUND if message(answer).contains("Commit") => Verdict::NoSuchCommit,
            _ => Verdict::of(answer, FACTS.status_name, status),
        }
    }

    fn comparison_url(&self, api: &Url, status: &CommitStatus, branch: &BranchName) -> Url {
        let mut url = in_project(api, &status.repository, &["repository", "merge_base"]);
        // The full name, because a tag may have the same name.
        url.query_pairs_mut()
            .append_pair("refs[]", &format!("refs/heads/{branch}"))
            .append_pair("refs[]", status.commit.as_str());
        url
    }

    fn containment(&self, answer: &Answer, commit: &CommitHash) -> Containment {
        let body = good_body(answer);
        let base = body.as_ref().and_then(|body| body.get("id")?.as_str());
        match base {
            Some(base) if base.eq_ignore_ascii_case(commit.as_str()) => Containment::Contained,
            Some(_) => Containment::Missing,
            None => match answer.status {
                StatusCode::BAD_REQUEST if message(answer).starts_with("Could not find ref") => {
                    Containment::Missing
                }
                StatusCode::NOT_FOUND if message(answer).contains("Merge Base") => {
                    Containment::Missing
                }
                _ => not_compared(answer),
            },
        }
    }

    fn comments_url(&self, api: &Url, pull: Pull<'_>) -> Url {
        in_pull(api, pull, &["notes"])
    }

    fn comment_url(&self, api: &Url, pull: Pull<'_>, id: &str) -> Url {
        in_pull(api, pull, &["notes", id])
    }

    fn since(&self, _: &str) -> String {
        "per_page=100&order_by=created_at&sort=desc".to_owned()
    }

    fn author<'a>(&self, comment: &'a Value) -> Option<&'a str> {
        comment.pointer("/author/username")?.as_str()
    }

    fn commit_url(&self, api: &Url, repository: &Repository, commit: &CommitHash) -> Url {
        let segments = ["repository", "commits", commit.as_str()];
        let mut url = in_project(api, repository, &segments);
        url.set_query(Some("stats=false"));
        url
    }

    fn commit_author<'a>(&self, commit: &'a Value) -> Option<&'a str> {
        commit.get("author_name")?.as_str()
    }
}

fn in_project(api: &Url, repository: &Repository, segments: &[&str]) -> Url {
    let project = repository.to_string();
    below(api, &[&["projects", &project], segments].concat())
}

fn in_pull(api: &Url, pull: Pull<'_>, segments: &[&str]) -> Url {
    let start = ["merge_requests", pull.number.as_str()];
    in_project(api, pull.repository, &[&start, segments].concat())
}
