//! Receives the coverage files of an upload, and stores them like a native upload.

use super::statement::{AUTHOR, Statement};
use crate::{
    http::error::{ApiError, Code},
    routes::upload::{Asked, Attempt, Incoming, authorised, report, stored_without_archive},
    state::AppState,
};
use access::{ClientRequest, Subject};
use axum::{
    body::{Body, to_bytes},
    http::HeaderMap,
};
use domain::Repository;
use forges::StatedJob;
use futures::TryStreamExt;
use ingest::{
    Accepted, BodyReader, ForeignFiles, IngestError, Meter, Received, Upload, fair_queue::Permit,
};
use review::{Wants, status};
use std::{net::IpAddr, time::Duration};
use store::actor::Actor;

/// The most bytes of the JSON of a call.
const CALL_BYTES: usize = 64 << 10;

/// How to read the coverage files of a body.
pub(super) struct Read {
    pub(super) files:
        fn(Received<BodyReader>, &Meter, &mut ForeignFiles) -> Result<(), IngestError>,
    /// The permit of a body that arrived before its token. It ends when the upload has its own.
    pub(super) early_body: Option<Permit>,
    /// How long it waited for that permit.
    pub(super) waited: Duration,
    /// What is unusual about the upload, in one sentence.
    pub(super) notice: Option<String>,
}

/// Who sends: the headers with the token, and the address.
#[derive(Clone, Copy)]
pub(super) struct Sender<'a> {
    pub(super) headers: &'a HeaderMap,
    pub(super) peer: IpAddr,
}

/// Authorises an upload as the native upload does.
pub(super) async fn admit(
    state: &AppState,
    statement: &Statement,
    from: Sender<'_>,
    attempt: &mut Attempt,
) -> Result<(Upload, Actor, Wants), ApiError> {
    attempt.is_by(statement.client.as_deref());
    let asked = Asked {
        parameters: statement.parameters(),
        headers: from.headers,
        peer: from.peer,
        // The languages are known only after the coverage files are read.
        context: Some(status::WHOLE),
    };
    let (mut upload, by, wants) = authorised(state, asked, attempt).await?;
    let measured = statement.measured_commit.as_deref();
    if let Some(measured) = measured.and_then(|commit| commit.parse().ok()) {
        upload.stated.change.measured_commit.get_or_insert(measured);
    }
    let wants = Wants {
        whole_status: true,
        ..wants
    };
    Ok((upload, by, wants))
}

/// Returns the refusal of an upload that names no repository. Only who has a token learns that, for whatever it is.
pub(super) async fn nameless(
    state: &AppState,
    from: Sender<'_>,
    attempt: &mut Attempt,
    missing: ApiError,
) -> ApiError {
    let unknown = Statement::unknown("unknown", "unknown");
    match admit(state, &unknown, from, attempt).await {
        Err(refusal) if refusal.code != Code::TokenNotForRepository => refusal,
        _ => missing,
    }
}

/// Refuses a client that has no upload token of this service for a repository.
pub(super) async fn admit_own_token(
    state: &AppState,
    repository: &Repository,
    from: Sender<'_>,
) -> Result<(), ApiError> {
    let client = ClientRequest {
        headers: from.headers,
        peer: from.peer,
        vcs_api_url: None,
    };
    // Only the right to upload counts.
    let commit = "0".parse().map_err(|_| ApiError::malformed("no commit"))?;
    let subject = Subject {
        repository,
        branch: None,
        target_branch: None,
        commit: &commit,
        status_context: status::WHOLE,
    };
    let admitted = state.uploaders.admit(client, subject).await?;
    match admitted.forge_claim {
        None => Ok(()),
        Some(_) => Err(ApiError::token_not_for_repository(
            "This call needs an upload token of this service.",
        )),
    }
}

/// Keeps what a client stated for some seconds.
///
/// # Errors
///
/// If too much is kept for the repository.
pub(super) async fn keep(
    state: &AppState,
    repository: &Repository,
    key_hash: &str,
    stated: &str,
    seconds: u32,
) -> Result<(), ApiError> {
    let writer = state.ingest.store.writer();
    let kept = writer.keep_foreign_request(repository, key_hash, stated, seconds);
    match kept.await? {
        true => Ok(()),
        false => Err(ApiError::new(
            Code::TooManyRequests,
            format!(
                "Too many uploads of {repository} were announced and not sent; try again in ten minutes."
            ),
        )),
    }
}

/// Receives and stores the coverage files of an upload: a record for each language.
pub(super) async fn receive(
    state: &AppState,
    statement: &Statement,
    from: Sender<'_>,
    (body, incoming): (Body, &Incoming),
    attempt: &mut Attempt,
    read: Read,
) -> Result<Vec<Accepted>, ApiError> {
    let (upload, by, wants) = admit(state, statement, from, attempt).await?;
    let (store, quotas) = (state.ingest.store.writer(), state.limits.quotas());
    store.check_quotas(&quotas, upload.stated.key()).await?;
    let (proof, api) = (attempt.proof.as_ref(), statement.vcs_api_url.as_deref());
    let is_unknown = upload.author.as_str() == AUTHOR;
    // The forge answers while the body arrives.
    let author = is_unknown.then(|| state.review.ask_for_author(&upload, proof, api));
    let wait = state.budget.foreign_wait.saturating_sub(read.waited);
    let mut intake = state.ingest.begin(upload, Some(wait)).await?;
    drop(read.early_body);
    incoming.begin_part();
    let body = body.into_data_stream();
    let body = body.map_err(|error| IngestError::Body(error.to_string()));
    let mut files = state.ingest.read_foreign(body, read.files).await?;
    files.notices.extend(read.notice);
    intake.take_foreign(files);
    if let Some(author) = author
        && let Ok(Some(author)) = author.await
    {
        intake.take_author(author);
    }
    let job = statement.job.map(|job| StatedJob {
        job,
        url: statement.run_url.as_deref(),
    });
    let asking = state.review.ask_for_changes(&mut intake, proof, job);
    asking.await;
    let accepted = intake.publish_reports(&state.ingest, &by).await?;
    attempt.all_accepted(&accepted);
    for accepted in &accepted {
        report(state, accepted, attempt, &wants).await;
    }
    Ok(accepted)
}

/// Stores a statement without a coverage file. The records that it changed; empty if it is kept for the first part of the commit.
pub(super) async fn close(
    state: &AppState,
    statement: &Statement,
    from: Sender<'_>,
    attempt: &mut Attempt,
) -> Result<Option<Accepted>, ApiError> {
    let (upload, _, wants) = admit(state, statement, from, attempt).await?;
    let accepted = stored_without_archive(state, upload, attempt).await?;
    if let Some(accepted) = &accepted {
        attempt.accepted(accepted);
        report(state, accepted, attempt, &wants).await;
    }
    Ok(accepted)
}

/// Reads the JSON or the form of a call.
///
/// # Errors
///
/// If it is too long, or if the client is too slow.
pub(super) async fn call_body(incoming: &Incoming) -> Result<Vec<u8>, ApiError> {
    match to_bytes(incoming.body(), CALL_BYTES).await {
        Ok(body) => Ok(body.into()),
        Err(_) => Err(match incoming.failure() {
            Some(failure) => failure.into(),
            None => ApiError::new(
                Code::UploadTooLarge,
                format!(
                    "The parameters of this call have more than {CALL_BYTES} bytes; the coverage file belongs into the next request."
                ),
            ),
        }),
    }
}
