//! The webhook after the jobs of a parallel build: no further part of the commit will come.

use super::{
    BUILD_SECONDS, Sent,
    answer::{answered, ended},
    client_of, incomplete,
    job::Job,
};
use crate::{
    http::error::ApiError,
    routes::{
        foreign::{
            receive::{self, call_body},
            statement::Statement,
        },
        peer::peer,
        upload::{Attempt, Incoming, handled},
    },
    state::AppState,
};
use access::Ticket;
use axum::{
    extract::{Request, State},
    http::{HeaderMap, header},
    response::Response,
};
use domain::Repository;
use serde::{Deserialize, Serialize};
use store::Record;

/// A commit of a parallel build, in one language. A webhook states only the number of the build. Jobs of another commit may have the
/// same number, as after a repetition: the webhook is for all of them.
#[derive(Serialize, Deserialize)]
pub(super) struct Build {
    branch: String,
    commit: String,
    language: String,
}

impl Build {
    /// The branch is the job's, not the record's: a merge queue has a branch of its own.
    pub(super) fn of(statement: &Statement, record: &Record) -> Self {
        Self {
            branch: statement.branch.clone(),
            commit: statement.commit.clone(),
            language: record.language.to_string(),
        }
    }

    pub(super) async fn keep(
        &self,
        state: &AppState,
        repository: &Repository,
        number: &str,
    ) -> Result<(), ApiError> {
        let stated = serde_json::to_string(self)?;
        let own = Ticket::derived(&[&stated]).hash();
        let key = format!("{}.{own}", group(repository, number));
        receive::keep(state, repository, &key, &stated, BUILD_SECONDS).await
    }

    async fn all(
        state: &AppState,
        repository: &Repository,
        number: &str,
    ) -> Result<Vec<Self>, ApiError> {
        let (writer, group) = (state.store.writer(), group(repository, number));
        let found = writer.foreign_requests_of(&group).await?;
        let builds = found.iter().map(|stated| serde_json::from_str(stated));
        Ok(builds.collect::<Result<_, _>>()?)
    }
}

/// What the keys of a build have in common.
fn group(repository: &Repository, number: &str) -> String {
    Ticket::derived(&["coveralls", &repository.key(), number]).hash()
}

pub(super) async fn end(State(state): State<AppState>, request: Request) -> Response {
    let ended = handled(state, request, |state, request, incoming, attempt| {
        Box::pin(close(state, request, incoming, attempt))
    });
    answered(ended.await)
}

async fn close(
    state: &AppState,
    request: Request,
    incoming: &Incoming,
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    let (peer, headers) = (peer(&request), request.headers());
    // Its body is as small as the parameters of an upload, so it needs no permit.
    let body = call_body(incoming).await?;
    let webhook = match is_form(headers) {
        true => Job::of_form(&body),
        false => Job::read(&body).map_err(ApiError::malformed)?,
    };
    let sent = Sent::of(state, &webhook, (headers, peer)).await?;
    let repository = sent.repository(state, attempt).await?;
    let Some((number, true)) = webhook.ended_build() else {
        let detail = "The webhook does not say which build is done: `payload` needs `build_num`, and the `status` done.";
        return Err(incomplete(detail.to_owned()));
    };
    let statement = Statement {
        client: client_of(headers),
        vcs_api_url: sent.vcs_api_url.clone(),
        ..Statement::unknown(repository.org.as_str(), repository.repo.as_str())
    };
    let builds = Build::all(state, repository, number).await?;
    if builds.is_empty() {
        // Only who may upload learns whether the build exists.
        receive::admit(state, &statement, sent.from(), attempt).await?;
        return Err(incomplete(format!(
            "No job of build {number} has arrived for {repository}, so there is nothing to finish; the jobs need COVERALLS_PARALLEL=true and the same build number."
        )));
    }
    let mut id = 0;
    for build in builds {
        let statement = Statement {
            branch: build.branch,
            commit: build.commit,
            language: Some(build.language),
            finish: true,
            ..statement.clone()
        };
        let closed = receive::close(state, &statement, sent.from(), attempt).await?;
        id = closed.map_or(id, |accepted| accepted.published.record.id);
    }
    Ok(ended(state, id))
}

fn is_form(headers: &HeaderMap) -> bool {
    let stated = headers.get(header::CONTENT_TYPE);
    stated.is_some_and(|stated| {
        stated
            .as_bytes()
            .starts_with(b"application/x-www-form-urlencoded")
    })
}
