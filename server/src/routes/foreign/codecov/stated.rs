//! What the JSON of a call states.

use super::address::Of;
use crate::{
    http::error::ApiError,
    routes::foreign::{
        client,
        statement::{Statement, part_of},
    },
    state::AppState,
};
use access::queue_branch_of;
use axum::http::{HeaderMap, header};
use config::access::ApiKind;
use forges::Job;
use serde_json::{Map, Value};

/// The members of a call.
pub(super) struct Stated(Map<String, Value>);

impl Stated {
    pub(super) fn read(body: &[u8]) -> Result<Self, ApiError> {
        // Some calls have no body.
        if body.trim_ascii().is_empty() {
            return Ok(Self(Map::new()));
        }
        match serde_json::from_slice(body) {
            Ok(Value::Object(members)) => Ok(Self(members)),
            Ok(_) => Err(wrong("it is not an object")),
            Err(error) => Err(wrong(&error.to_string())),
        }
    }

    /// A member that is a text or a number, and not empty.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        match self.0.get(name)? {
            Value::String(text) if !text.is_empty() => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    fn flags(&self) -> Option<String> {
        let flags = self.0.get("flags")?.as_array()?;
        part_of(flags.iter().filter_map(Value::as_str))
    }

    /// The statement about an upload for a repository. The branch of an identity of a merge queue takes precedence: the client cuts
    /// its name.
    pub(super) fn statement(&self, state: &AppState, of: &Of, headers: &HeaderMap) -> Statement {
        let (stated, run_url) = (self.text("branch"), self.text("ci_url"));
        Statement {
            client: client::of_user_agent(headers),
            branch: queue_of(headers).or(stated).unwrap_or_default(),
            commit: self.text("commitid").unwrap_or_default(),
            part: self.flags(),
            pull_request: self.text("pullid"),
            job: run_url.as_deref().and_then(Job::at),
            run_url,
            ..about(state, of)
        }
    }
}

/// A statement about a repository, without a commit.
pub(super) fn about(state: &AppState, of: &Of) -> Statement {
    Statement {
        org: of.org.clone(),
        repo: of.repo.clone(),
        vcs_api_url: state.uploaders.forges.meant_by(kind_of(&of.service)),
        ..Statement::default()
    }
}

/// The branch of the merge queue that an identity in the headers is of, if it is of one. The identity is verified later, with this
/// branch.
pub(super) fn queue_of(headers: &HeaderMap) -> Option<String> {
    let token = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    queue_branch_of(token.rsplit(' ').next()?)
}

fn kind_of(service: &str) -> Option<ApiKind> {
    match service {
        "github" | "gh" | "github_enterprise" | "ghe" | "github-actions" => Some(ApiKind::GitHub),
        "gitlab" | "gl" | "gitlab_enterprise" | "gle" => Some(ApiKind::GitLab),
        _ => None,
    }
}

/// Refuses a call that does not name the branch: the client could not find it.
pub(super) fn with_branch(statement: Statement) -> Result<Statement, ApiError> {
    if statement.branch.is_empty() {
        return Err(ApiError::parameter(
            "branch_name",
            "is missing, because the client did not find it; run it with `--branch NAME`"
                .to_owned(),
        ));
    }
    Ok(statement)
}

fn wrong(why: &str) -> ApiError {
    ApiError::malformed(format!(
        "The call is not the JSON of a client of Codecov; run the client again, or update it. ({why})"
    ))
}
