//! The calls after the uploads: no further upload will come for a commit, or none at all.

use super::{address::Of, answer, stated::about};
use crate::{
    http::error::ApiError,
    routes::{
        foreign::{
            client,
            receive::{Sender, admit, close},
            statement::Statement,
        },
        upload::Attempt,
    },
    state::AppState,
};
use axum::response::Response;
use domain::{CommitHash, Repository};

/// The part that a commit without an upload skips.
const EMPTY: &str = "empty-upload";
const WHY: &str = "The job stated that the commit needs no coverage (empty-upload).";

/// The status of a commit that is completed without an upload.
const NOTHING: &str = "The job ended its uploads, but none has arrived";

/// The branch of a commit that has no record.
const UNKNOWN: &str = "HEAD";

/// Completes the records of a commit, in all languages.
pub(super) async fn complete(
    state: &AppState,
    (of, sha): (Of, String),
    from: Sender<'_>,
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    access::show_token(from.headers)?;
    let series = series_of(state, &of, &sha).await?;
    let statement = Statement {
        client: client::of_user_agent(from.headers),
        commit: sha,
        finish: true,
        ..about(state, &of)
    };
    if series.is_empty() {
        // Without an authorised token, nobody learns that there is no record.
        let statement = Statement {
            branch: UNKNOWN.to_owned(),
            ..statement
        };
        admit(state, &statement, from, attempt).await?;
        if let Some(proof) = &attempt.proof {
            proof.conclude_refused(NOTHING).await;
        }
        return Ok(answer::completed(0));
    }
    for (branch, language) in &series {
        let statement = Statement {
            branch: branch.clone(),
            language: Some(language.clone()),
            ..statement.clone()
        };
        close(state, &statement, from, attempt).await?;
    }
    attempt.is_upload();
    Ok(answer::completed(series.len()))
}

/// Notes that a commit needs no upload.
pub(super) async fn empty(
    state: &AppState,
    (of, sha): (Of, String),
    from: Sender<'_>,
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    access::show_token(from.headers)?;
    let series = series_of(state, &of, &sha).await?;
    let first = series.into_iter().next();
    let (branch, language) = match first {
        Some((branch, language)) => (branch, Some(language)),
        None => (UNKNOWN.to_owned(), None),
    };
    let statement = Statement {
        client: client::of_user_agent(from.headers),
        branch,
        language,
        commit: sha,
        skip: Some((EMPTY.to_owned(), WHY.to_owned())),
        ..about(state, &of)
    };
    close(state, &statement, from, attempt).await?;
    attempt.is_upload();
    Ok(answer::said("The commit needs no coverage."))
}

/// The branches and languages in which a commit has records. Nothing is said about them before the token is checked.
async fn series_of(
    state: &AppState,
    of: &Of,
    sha: &str,
) -> Result<Vec<(String, String)>, ApiError> {
    let (Ok(org), Ok(repo), Ok(commit)) =
        (of.org.parse(), of.repo.parse(), sha.parse::<CommitHash>())
    else {
        return Ok(Vec::new());
    };
    let repository = Repository { org, repo };
    let writer = state.ingest.store.writer();
    Ok(writer.series_of_commit(&repository, &commit).await?)
}
