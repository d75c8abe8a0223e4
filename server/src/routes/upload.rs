//! `POST /coverages-api`: accepts an archive. The parameters are checked first, then the token, then the body.

mod attempt;
mod form;
mod incoming;
mod outcome;
mod parameters;
mod parts;

use super::{
    openapi::refusals,
    parameters::{Parameters, Required},
    peer::peer,
    summary::SummaryJson,
};
use crate::{
    http::error::{ApiError, Code},
    state::AppState,
};
use access::{ClientRequest, Subject};
use attempt::Attempt;
use axum::{
    body::to_bytes,
    extract::{FromRequest, Multipart, Request, State, multipart::MultipartRejection},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    response::Response,
};
use config::PartsTimeout;
use domain::Repository;
use forges::Proof;
use form::{FILE, UploadForm};
use incoming::Incoming;
use ingest::{Accepted, IngestError, JobFolders, Upload};
use outcome::{Answer, Remembered, answer, current_records, remembered};
use parameters::UploadParameters;
pub(super) use parameters::{ForgeParameters, PlainText, vcs_api_url};
use review::{Wants, status};
use std::net::IpAddr;
use store::{Announced, Closed, MainRight, NewChange, Stated, actor::Actor};
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
    let uploads = state.uploads.clone();
    // A separate task: if the client disconnects, the body ends, but publishing and the ledger's row are still
    // completed.
    let task = uploads.spawn(attempt(state, request).in_current_span());
    task.await?
}

/// Handles one upload from its request to its answer, with its row in the ledger.
async fn attempt(state: AppState, request: Request) -> Result<Response, ApiError> {
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
    let (upload, by, wants) = authorised(state, query, headers, peer(&request), attempt).await?;
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
            review.ask_for_changes(&mut intake, proof).await;
            intake.publish(&state.ingest, by).await?
        }
        Err(upload) => Err(Box::new(upload)),
    };
    let accepted = match published {
        Ok(accepted) => accepted,
        Err(upload) if may_lack_file => match close(state, *upload).await? {
            Ok(accepted) => accepted,
            Err((repository, completed)) => {
                attempt.remembered();
                let proof = attempt.proof.as_ref();
                review.report_completed(&completed, proof).await;
                if let Some(proof) = proof {
                    status::write_skip(proof).await;
                }
                return remembered(state, &repository).await;
            }
        },
        Err(_) => return Err(missing_file()),
    };
    attempt.accepted(&accepted);
    let proof = attempt.proof.as_ref();
    if let Some(proof) = proof.filter(|_| attempt.knows_branches) {
        review.ask_about_queue(&accepted.published.record.repository, proof);
    }
    let reported = review.report(&accepted, proof, &wants).await;
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

/// Stores an upload without an archive. If the commit has no record in this language yet, returns the repository, with the
/// records in other languages that the upload completed.
async fn close(
    state: &AppState,
    upload: Upload,
) -> Result<Result<Accepted, (Repository, Vec<i64>)>, ApiError> {
    let repository = upload.stated.repository.clone();
    let store = state.ingest.store.writer();
    match store.close_record(&upload.stated).await? {
        Closed::Record(published) => Ok(Ok(Accepted::without_archive(*published))),
        Closed::Remembered(completed) => Ok(Err((repository, completed))),
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

async fn authorised(
    state: &AppState,
    query: Option<&str>,
    headers: &HeaderMap,
    peer: IpAddr,
    attempt: &mut Attempt,
) -> Result<(Upload, Actor, Wants), ApiError> {
    let mut parameters = Parameters::of(query)?;
    attempt.names(&parameters);
    let vcs_api_url = vcs_api_url(&mut parameters);
    let names = parameters::read(parameters)?;
    let wants_summary = names.summary.0;
    let run_url = names.run_url.clone();
    let mut upload = upload_of(names, state.parts_timeout);
    let client = ClientRequest {
        headers,
        peer,
        vcs_api_url: vcs_api_url.as_deref(),
    };
    let context = status::context(&upload.stated.language);
    let admission = state
        .uploaders
        .admit(client, subject_of(&upload, &context))
        .await?;
    upload.stated.forge_claim = admission.forge_claim.clone();
    upload.sender = admission.sender(&upload.stated.repository);
    upload.credential = admission.credential();
    upload.stated.main_right = admission.main_right.clone();
    upload.stated.change.measured_commit = admission.measured_commit.clone();
    let by = admission.actor(state.uploaders.address(client));
    let is_by_forge = admission.proof.is_some();
    let queued_for = admission.queued_for.clone();
    let claim = admission.forge_claim.clone();
    // Another forge may have a repository of the same name.
    let trusts = |proof: &Proof| claim.as_ref().is_none_or(|it| it.forge == proof.forge());
    attempt.knows_branches = is_by_forge;
    // Only now: a page must not link to an address from an upload that was not authorized.
    attempt.runs_at(run_url.as_ref());
    attempt.admitted(admission);
    let mut wants = Wants {
        summary: wants_summary,
        whole_status: wants_summary || upload.is_extended(),
        notice: None,
        only_reports: !is_by_forge,
    };
    if !is_by_forge {
        match state
            .uploaders
            .reporter(client, subject_of(&upload, &context))
        {
            Ok(reporter) => {
                attempt.knows_branches = reporter.as_ref().is_some_and(trusts);
                attempt.proof = reporter;
            }
            Err(notice) => wants.notice = Some(notice),
        }
    }
    // The forge knows the queue's branch, and the record belongs to the branch for which the queue tests it.
    if let Some(target) = queued_for {
        upload.stated.branch = target;
    }
    Ok((upload, by, wants))
}

fn subject_of<'a>(upload: &'a Upload, status_context: &'a str) -> Subject<'a> {
    Subject {
        repository: &upload.stated.repository,
        branch: Some(&upload.stated.branch),
        target_branch: upload.stated.change.target_branch.as_ref(),
        commit: &upload.stated.commit,
        status_context,
    }
}

/// Returns an upload without the data that authorization adds.
fn upload_of(names: UploadParameters, timeout: PartsTimeout) -> Upload {
    let (Required(org), Required(repo)) = (names.org_name, names.repo_name);
    let parts = names.parts.unwrap_or_default();
    let (expected, only_here) = (
        parts.of(&names.language.0),
        parts.only_of(&names.language.0),
    );
    Upload {
        stated: Stated {
            repository: Repository { org, repo },
            branch: names.branch_name.0,
            commit: names.commit_hash.0,
            language: names.language.0,
            announced: Announced {
                expected,
                only_here,
                is_finished: names.finish.0,
                skipped: names.skip.zip(names.reason.map(|PlainText(reason)| reason)),
                timeout: timeout.0,
            },
            change: NewChange {
                pull_request: names.pull_request,
                target_branch: names.target_branch,
                base_commit: names.base_commit,
                base_tree: names.base_tree,
                tree_hash: names.tree_hash,
                measured_commit: None,
                changes: None,
                of_forge: None,
            },
            settings: None,
            owners: None,
            forge_claim: None,
            main_right: MainRight::Granted,
        },
        author: names.commit_author.0,
        coverage_file: names.coverage_xml_file_name,
        of_job: JobFolders {
            root: names.root.map(|PlainText(root)| root),
            report: names.report_folder.map(|PlainText(folder)| folder),
        },
        part: names.part.unwrap_or_default(),
        sender: String::new(),
        credential: None,
    }
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
