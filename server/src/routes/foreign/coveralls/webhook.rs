//! The webhook after the jobs of a parallel build: no further part of the commit will come.

use super::{
    BUILD_SECONDS, Sent,
    answer::{answered, ended},
    client_of, incomplete,
    job::Job,
    unknown,
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
use axum::{
    extract::{Request, State},
    http::{HeaderMap, header},
    response::Response,
};
use domain::{Repository, text::hexadecimal};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::Record;

/// The commit of a parallel build. A webhook states only the number of the build.
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
        let (key, stated) = (key(repository, number), serde_json::to_string(self)?);
        receive::keep(state, repository, &key, &stated, BUILD_SECONDS).await
    }

    async fn find(
        state: &AppState,
        repository: &Repository,
        number: &str,
    ) -> Result<Option<Self>, ApiError> {
        let key = key(repository, number);
        let found = state.store.writer().foreign_request(&key).await?;
        let found = found.map(|found| serde_json::from_str(&found.stated));
        Ok(found.transpose()?)
    }
}

fn key(repository: &Repository, number: &str) -> String {
    let text = format!("coveralls {} {number}", repository.key());
    hexadecimal(&Sha256::digest(text))
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
        ..unknown(repository.org.as_str(), repository.repo.as_str())
    };
    let Some(build) = Build::find(state, repository, number).await? else {
        // Only who may upload learns whether the build exists.
        receive::admit(state, &statement, sent.from(), attempt).await?;
        return Err(incomplete(format!(
            "No job of build {number} has arrived for {repository}, so there is nothing to finish; the jobs need COVERALLS_PARALLEL=true and the same build number."
        )));
    };
    let statement = Statement {
        branch: build.branch,
        commit: build.commit,
        language: Some(build.language),
        finish: true,
        ..statement
    };
    let closed = receive::close(state, &statement, sent.from(), attempt).await?;
    let id = closed.map_or(0, |accepted| accepted.published.record.id);
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
