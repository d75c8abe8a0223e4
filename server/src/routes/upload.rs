//! `POST /coverages-api`: accepts an archive. The parameters are checked first, then the token, then the body.

mod attempt;
mod authorised;
mod form;
mod incoming;
mod outcome;
mod parameters;
mod parts;

use super::{openapi::refusals, parameters::Parameters, peer::peer, summary::SummaryJson};
use crate::{
    http::error::{ApiError, Code},
    state::AppState,
};
pub(super) use attempt::Attempt;
pub(super) use authorised::{Asked, authorised};
use axum::{
    body::to_bytes,
    extract::{FromRequest, Multipart, Request, State, multipart::MultipartRejection},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    response::Response,
};
use form::{FILE, UploadForm};
use futures::future::BoxFuture;
pub(super) use incoming::Incoming;
use ingest::{Accepted, IngestError, Upload};
use outcome::{Answer, Remembered, answer, current_records, remembered};
use parameters::UploadParameters;
pub(super) use parameters::{ForgeParameters, PlainText, vcs_api_url};
use review::{Reported, Wants, status};
use store::Closed;
use tracing::Instrument;

/// Upload coverage
///
/// The parameters are checked first, then the token, and only then is the body read: with `Expect: 100-continue`, a client
/// does not send the body of a refused request. A refused request leaves no record and no file.
#[utoipa::path(
    post,
    path = "/coverages-api",
    tag = "uploads",
    params(
        UploadParameters,
        ForgeParameters,
        (
            "Forge-Authorization" = Option<String>,
            Header,
            description = "With `vcs_api_url`: the job's forge token, if `Authorization` has a token of this service or an identity. It is used for the status, the comment and the diff of this upload only."
        )
    ),
    request_body(
        content = inline(UploadForm),
        content_type = "multipart/form-data",
        description = "The archive, as the form field `file`."
    ),
    responses(
        (
            status = 201,
            description = "A new record. It is now the current record of its branch and language, unless X-Coverage-Notice states otherwise.",
            body = Answer,
            headers(
                ("Location" = String, description = "The page of the record."),
                ("X-Coverage-Notice" = String, description = "Why the record is not current: a newer commit, missing parts, a merge queue that tests the commit, or no proof that the main branch contains the commit."),
                ("X-Coverage-Comment" = String, description = "The result for the comment of the pull request, if the upload has a token of its forge: `created`, `updated`, `updated by another upload`, `none` if there is nothing to report or if a newer commit was uploaded, or `not written`, with the reason in a notice of the summary.")
            )
        ),
        (
            status = 200,
            description = "The commit was uploaded before. Its record keeps `id` and `created_at`. Its percentage is new, unless X-Coverage-Notice states otherwise or no archive was sent.",
            body = Answer,
            headers(
                ("X-Coverage-Notice" = String, description = "As for a new record."),
                ("X-Coverage-Comment" = String, description = "As for a new record.")
            )
        ),
        (
            status = 202,
            description = "The skip is stored. The commit has no record yet.",
            body = Remembered
        ),
        refusals::Upload
    ),
    security(("upload_token" = []))
)]
pub(super) async fn upload(
    State(state): State<AppState>,
    request: Request,
) -> Result<Response, ApiError> {
    handled(state, request, |state, request, incoming, attempt| {
        Box::pin(receive(state, request, incoming, attempt))
    })
    .await
}

/// Receives the body of an upload and answers.
pub(super) type Receive = for<'a> fn(
    &'a AppState,
    Request,
    &'a Incoming,
    &'a mut Attempt,
) -> BoxFuture<'a, Result<Response, ApiError>>;

/// Handles one upload from its request to its answer, with its row in the ledger.
pub(super) async fn handled(
    state: AppState,
    request: Request,
    receive: Receive,
) -> Result<Response, ApiError> {
    let uploads = state.uploads.clone();
    // A separate task: if the client disconnects, the body ends, but publishing and the ledger's row are still
    // completed.
    let task = uploads.spawn(attempt(state, request, receive).in_current_span());
    task.await?
}

async fn attempt(
    state: AppState,
    request: Request,
    receive: Receive,
) -> Result<Response, ApiError> {
    let mut attempt = Attempt::of(&request);
    let (parts, body) = request.into_parts();
    let incoming = Incoming::new(body, &parts.headers, &state.limits);
    let request = Request::from_parts(parts, incoming.body());
    let accepted = receive(&state, request, &incoming, &mut attempt).await;
    let Err(refusal) = accepted else {
        conclude(&state, attempt, &incoming).await;
        // The client may still be sending further parts, which are ignored.
        incoming.linger();
        return accepted;
    };
    let failure = incoming.failure();
    let is_slow = matches!(failure, Some(IngestError::Slow(_)));
    let refusal = failure.map_or(refusal, ApiError::from);
    attempt.refused(&refusal);
    if let Some(proof) = &attempt.proof {
        proof.conclude_refused(&refusal.detail).await;
    }
    conclude(&state, attempt, &incoming).await;
    // A client that was too slow has had enough time.
    if !is_slow {
        incoming.linger();
    }
    Err(refusal)
}

/// Records the result of an upload in the log, the metrics and the ledger.
async fn conclude(state: &AppState, attempt: Attempt, incoming: &Incoming) {
    if attempt.is_call() {
        return;
    }
    let (bytes, took) = (incoming.bytes(), attempt.age());
    let entry = attempt.finish(bytes);
    state.metrics.uploads.ended(&entry.code, bytes, took);
    attempt::log(&entry);
    state.ledger.add(entry).await;
}

async fn receive(
    state: &AppState,
    request: Request,
    incoming: &Incoming,
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    let review = &state.review;
    let (query, headers) = (request.uri().query(), request.headers());
    let asked = Asked {
        parameters: Parameters::of(query)?,
        headers,
        peer: peer(&request),
        context: None,
    };
    let (upload, by, wants) = authorised(state, asked, attempt).await?;
    if upload.coverage_file.is_some() {
        let (store, quotas) = (state.ingest.store.writer(), state.limits.quotas());
        store.check_quotas(&quotas, upload.stated.key()).await?;
    }
    let may_lack_file = upload.stated.announced.closes();
    let received = if may_lack_file && !is_multipart(request.headers()) {
        // `curl -d ''` sends a content type with its empty body.
        match to_bytes(request.into_body(), 0).await {
            Ok(_) => Err(upload),
            Err(_) => return Err(unexpected_body()),
        }
    } else {
        match Multipart::from_request(request, &()).await {
            Ok(multipart) => parts::receive(&state.ingest, upload, multipart, incoming).await?,
            Err(rejection) => return Err(not_multipart(rejection)),
        }
    };
    let published = match received {
        Ok(mut intake) => {
            let proof = attempt.proof.as_ref();
            review.ask_for_changes(&mut intake, proof, None).await;
            intake.publish(&state.ingest, by).await?
        }
        Err(upload) => Err(Box::new(upload)),
    };
    let accepted = match published {
        Ok(accepted) => accepted,
        Err(upload) if may_lack_file => {
            let repository = upload.stated.repository.clone();
            match stored_without_archive(state, *upload, attempt).await? {
                Some(accepted) => accepted,
                None => return remembered(state, &repository).await,
            }
        }
        Err(_) => return Err(missing_file()),
    };
    attempt.accepted(&accepted);
    let reported = report(state, &accepted, attempt, &wants).await;
    let current = current_records(state, &accepted).await;
    let summary = reported.summary.as_ref().map(|summary| {
        SummaryJson::new(summary, &reported.others, state).with_notices(&reported.notices)
    });
    let mut response = answer(&accepted.published, &current, summary);
    if let Some(outcome) = reported.comment {
        let outcome = HeaderValue::from_static(outcome.word());
        response.headers_mut().insert(COMMENT, outcome);
    }
    Ok(response)
}

/// Analyses a stored upload, and writes its results to its forge.
pub(super) async fn report(
    state: &AppState,
    accepted: &Accepted,
    attempt: &Attempt,
    wants: &Wants,
) -> Reported {
    let (review, proof) = (&state.review, attempt.proof.as_ref());
    if let Some(proof) = proof.filter(|_| attempt.knows_branches) {
        review.ask_about_queue(&accepted.published.record.repository, proof);
    }
    review.report(accepted, proof, wants).await
}

/// Stores an upload without an archive. `None` if it is kept until the first part of its commit arrives.
pub(super) async fn stored_without_archive(
    state: &AppState,
    upload: Upload,
    attempt: &mut Attempt,
) -> Result<Option<Accepted>, ApiError> {
    let completed = match close(state, upload).await? {
        Ok(accepted) => return Ok(Some(accepted)),
        Err(completed) => completed,
    };
    attempt.remembered();
    let proof = attempt.proof.as_ref();
    state.review.report_completed(&completed, proof).await;
    if let Some(proof) = proof {
        status::write_skip(proof).await;
    }
    Ok(None)
}

/// Stores an upload without an archive. If the commit has no record in this language yet, returns the records in other
/// languages that the upload completed.
async fn close(state: &AppState, upload: Upload) -> Result<Result<Accepted, Vec<i64>>, ApiError> {
    let store = state.ingest.store.writer();
    match store.close_record(&upload.stated).await? {
        Closed::Record(published) => Ok(Ok(Accepted::without_archive(*published))),
        Closed::Remembered(completed) => Ok(Err(completed)),
        Closed::NoRecord => Err(ApiError::not_found(
            "No part of this commit has arrived, so there is nothing to finish; upload a part first, or correct branch_name, commit_hash and language.",
        )),
    }
}

/// The header with the result for the comment of a pull request.
const COMMENT: HeaderName = HeaderName::from_static("x-coverage-comment");

fn missing_file() -> ApiError {
    let detail =
        format!("The form has no field `{FILE}`; send the archive in a field of this name.");
    ApiError::new(Code::MissingFilePart, detail)
}

fn is_multipart(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| {
        kind.as_bytes()
            .to_ascii_lowercase()
            .starts_with(b"multipart/")
    })
}

fn unexpected_body() -> ApiError {
    let detail = format!(
        "Send the archive as multipart/form-data, in a part named `{FILE}`, or an empty body."
    );
    ApiError::unsupported(detail)
}

fn not_multipart(rejection: MultipartRejection) -> ApiError {
    let detail = format!(
        "Send the archive as multipart/form-data, in a part named `{FILE}`. ({})",
        rejection.body_text()
    );
    ApiError::unsupported(detail)
}
