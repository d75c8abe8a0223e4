//! `POST /coverages-api`: accepts an archive. The parameters are checked first, then the token, then the body.

mod attempt;
mod closing;
mod form;
mod incoming;
mod parameters;
mod parts;

use super::{
    openapi::refusals,
    parameters::{Parameters, Required},
    peer::peer,
    record_json::RecordJson,
    summary::SummaryJson,
};
use crate::{
    auth::{ClientRequest, Subject},
    config::PartsTimeout,
    forges::commit_status::{self, Terms},
    http::error::{ApiError, Code},
    ingest::{Accepted, IngestError, Upload},
    state::AppState,
    store::{
        Announced, MainRight, NewChange, Published, Record, RecordSummary, Standing, actor::Actor,
    },
    text::chain,
};
use attempt::Attempt;
use axum::{
    Json,
    extract::{FromRequest, Multipart, Request, State, multipart::MultipartRejection},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use closing::{Remembered, close, remembered};
use domain::{RecordParts, Repository};
use form::{FILE, UploadForm};
use incoming::Incoming;
pub(super) use parameters::vcs_api_url;
use parameters::{ForgeParameters, Reason, UploadParameters};
use serde::Serialize;
use std::net::IpAddr;
use tokio::task::JoinHandle;
use tracing::Instrument;
use utoipa::ToSchema;

/// The result of an upload.
#[derive(Serialize, ToSchema)]
#[schema(as = Uploaded)]
struct Answer<'a> {
    /// The record of this upload.
    coverage: RecordJson<'a>,
    /// The current record of every branch and language of the repository, the last updated one first.
    data: Vec<RecordJson<'a>>,
    /// What a pull request says about the record, if the parameter `summary` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<SummaryJson<'a>>,
}

/// Upload coverage
///
/// The parameters are checked first, then the token, and only then is the body read: with `Expect: 100-continue`, a client
/// does not send the body of a refused request. A refused request stores nothing.
#[utoipa::path(
    post,
    path = "/coverages-api",
    operation_id = "upload",
    tag = "uploads",
    params(UploadParameters, ForgeParameters),
    request_body(
        content = inline(UploadForm),
        content_type = "multipart/form-data",
        description = "The archive, as the part `file`."
    ),
    responses(
        (
            status = 201,
            description = "A new record. It is now the current record of its branch and language, unless X-Coverage-Notice says otherwise.",
            body = Answer,
            headers(
                ("Location" = String, description = "The page of the record."),
                ("X-Coverage-Notice" = String, description = "Why the record is not current, and which permission to grant, if the forge did not confirm that the main branch contains the commit.")
            )
        ),
        (
            status = 200,
            description = "The commit was uploaded before. Its record keeps `id` and `created_at`, and has the new percentage.",
            body = Answer,
            headers(("X-Coverage-Notice" = String, description = "As for a new record."))
        ),
        (
            status = 202,
            description = "The part `skip` is noted. The commit has no record yet.",
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
    task.await.map_err(|error| ApiError::unavailable(&error))?
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
    if let Some(proof) = attempt.proof() {
        commit_status::tell_refused(proof, &refusal).await;
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
    state.metrics.uploads().ended(&entry.code, bytes, took);
    attempt::log(&entry);
    state.ledger.add(entry).await;
}

async fn receive(
    state: &AppState,
    request: Request,
    incoming: &Incoming,
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    let (query, headers) = (request.uri().query(), request.headers());
    let (upload, by, wants_summary) =
        authorised(state, query, headers, peer(&request), attempt).await?;
    if upload.coverage_file.is_some() {
        state.ingest.check_quotas(&upload).await?;
    }
    let may_lack_file = upload.announced.closes();
    let has_body = request.headers().contains_key(header::CONTENT_TYPE);
    let received = match Multipart::from_request(request, &()).await {
        Ok(multipart) => parts::receive(&state.ingest, upload, multipart, incoming).await?,
        Err(_) if may_lack_file && !has_body => Err(upload),
        Err(rejection) => return Err(not_multipart(rejection)),
    };
    let published = match received {
        Ok(intake) => state.ingest.publish(intake, by).await?,
        Err(upload) => Err(Box::new(upload)),
    };
    let accepted = match published {
        Ok(accepted) => accepted,
        Err(upload) if may_lack_file => match close(state, *upload).await? {
            Ok(accepted) => accepted,
            Err(repository) => {
                attempt.remembered();
                if let Some(proof) = attempt.proof() {
                    commit_status::tell_remembered(proof).await;
                }
                return remembered(state, &repository).await;
            }
        },
        Err(_) => return Err(missing_file()),
    };
    attempt.accepted(&accepted);
    let analysed = analyse(state, accepted.published.record.id);
    if wants_summary {
        analysed.await.ok();
    }
    if let Some(proof) = attempt.proof() {
        let terms = Terms {
            minimum_coverage: state.minimum_coverage,
            public_url: &state.public_url.0,
        };
        commit_status::tell_taken(&state.store, proof, &accepted.published, terms).await;
    }
    let current = current_records(state, &accepted).await;
    let summary = if wants_summary {
        Some(summary(state, &accepted).await)
    } else {
        None
    };
    let summary = summary
        .as_ref()
        .map(|summary| SummaryJson::new(summary, state).with_notices(&accepted.notices));
    Ok(answer(&accepted.published, &current, summary))
}

/// Starts what follows from the lines of a record, in a task of its own. The returned one ends when the record is analysed.
fn analyse(state: &AppState, record_id: i64) -> JoinHandle<()> {
    let ingest = state.ingest.clone();
    let analysing = async move { ingest.analyse(record_id).await };
    let analysing = state.uploads.spawn(analysing.in_current_span());
    let ingest = state.ingest.clone();
    let searching = async move { ingest.find_flicker(record_id).await };
    state.uploads.spawn(searching.in_current_span());
    analysing
}

fn missing_file() -> ApiError {
    let detail = format!(
        "The multipart body has no part `{FILE}`; send the archive in a part of this name."
    );
    ApiError::new(Code::MissingFilePart, detail)
}

/// Returns the summary for the answer. The upload is already stored, so this must not fail.
async fn summary(state: &AppState, accepted: &Accepted) -> RecordSummary {
    let record = &accepted.published.record;
    let known = || RecordSummary {
        record: record.clone(),
        has_report: false,
        paths: accepted.paths.clone(),
        parts: RecordParts::default(),
        base: None,
        pull_request: None,
        changed_lines: None,
        lost: None,
        explanation: None,
        misfits: Vec::new(),
        sum_of_lines: None,
    };
    match state.store.record_summary(record.id).await {
        Ok(summary) => summary.unwrap_or_else(known),
        Err(error) => {
            let cause = chain(&error);
            tracing::error!(cause, "an upload's summary lacks what is stored");
            known()
        }
    }
}

/// Returns the records for the answer. The upload is already stored, so this must not fail.
async fn current_records(state: &AppState, accepted: &Accepted) -> Vec<Record> {
    let record = &accepted.published.record;
    match state.store.current_records(&record.repository).await {
        Ok(records) => records,
        Err(error) => {
            let cause = chain(&error);
            tracing::error!(cause, "an upload's answer lists only its own record");
            vec![record.clone()]
        }
    }
}

async fn authorised(
    state: &AppState,
    query: Option<&str>,
    headers: &HeaderMap,
    peer: IpAddr,
    attempt: &mut Attempt,
) -> Result<(Upload, Actor, bool), ApiError> {
    let mut parameters = Parameters::of(query)?;
    attempt.names(&parameters);
    let vcs_api_url = vcs_api_url(&mut parameters);
    let names = parameters::read(parameters)?;
    let wants_summary = names.summary.0;
    let mut upload = upload_of(names, state.parts_timeout);
    let client = ClientRequest {
        headers,
        peer,
        vcs_api_url: vcs_api_url.as_deref(),
    };
    let subject = Subject {
        repository: &upload.repository,
        branch: Some(&upload.branch),
        commit: &upload.commit,
        status_context: &commit_status::context(&upload.language),
    };
    let admission = state.uploaders.admit(client, subject).await?;
    upload.forge_claim = admission.forge_claim.clone();
    upload.sender = admission.sender(&upload.repository);
    upload.credential = admission.credential();
    upload.main_right = admission.main_right.clone();
    let by = admission.actor(state.uploaders.address(client));
    attempt.admitted(admission);
    Ok((upload, by, wants_summary))
}

/// Returns an upload without what authorization adds.
fn upload_of(names: UploadParameters, timeout: PartsTimeout) -> Upload {
    let (Required(org), Required(repo)) = (names.org_name, names.repo_name);
    Upload {
        repository: Repository { org, repo },
        branch: names.branch_name.0,
        commit: names.commit_hash.0,
        author: names.commit_author.0,
        language: names.language.0,
        coverage_file: names.coverage_xml_file_name,
        part: names.part.unwrap_or_default(),
        announced: Announced {
            expected: names.parts.unwrap_or_default(),
            is_finished: names.finish.0,
            skipped: names.skip.zip(names.reason.map(|Reason(reason)| reason)),
            timeout: timeout.0,
        },
        change: NewChange {
            pull_request: names.pull_request,
            target_branch: names.target_branch,
            base_commit: names.base_commit,
            base_tree: names.base_tree,
            tree_hash: names.tree_hash,
            changes: None,
        },
        settings: None,
        forge_claim: None,
        sender: String::new(),
        credential: None,
        main_right: MainRight::Granted,
    }
}

fn not_multipart(rejection: MultipartRejection) -> ApiError {
    let detail = format!(
        "Send the archive as multipart/form-data, in a part named `{FILE}`. ({})",
        rejection.body_text()
    );
    ApiError::new(Code::UnsupportedMediaType, detail)
}

fn answer(published: &Published, current: &[Record], summary: Option<SummaryJson<'_>>) -> Response {
    let record = &published.record;
    let answer = Json(Answer {
        coverage: RecordJson::from(record),
        data: current.iter().map(RecordJson::from).collect(),
        summary,
    });
    let mut response = if published.is_new {
        let location = [(header::LOCATION, format!("/records/{}", record.id))];
        (StatusCode::CREATED, location, answer).into_response()
    } else {
        (StatusCode::OK, answer).into_response()
    };
    let (claim, reason) = match &published.standing {
        Standing::Current => return response,
        Standing::Superseded => (SUPERSEDED, String::new()),
        Standing::Incomplete(missing) => (NOT_CURRENT, format!("waiting for {missing}.")),
        Standing::Unconfirmed(reason) => (NOT_CURRENT, reason.clone()),
        Standing::Kept(reason) => (KEPT, reason.clone()),
    };
    let notice = HeaderValue::from_str(format!("{claim} {reason}").trim_end());
    let notice = notice.unwrap_or(HeaderValue::from_static(claim));
    response.headers_mut().insert(NOTICE, notice);
    response
}

/// The header with a notice about an accepted upload.
const NOTICE: HeaderName = HeaderName::from_static("x-coverage-notice");

/// The notice if a newer commit is current.
const SUPERSEDED: &str = "Stored in the history: a newer commit of the branch is current.";

/// The notice for an unconfirmed or incomplete record.
const NOT_CURRENT: &str = "Stored in the history, but not current:";

/// The notice if the commit already has a confirmed record.
const KEPT: &str = "Not stored, the confirmed record of this commit is unchanged:";
