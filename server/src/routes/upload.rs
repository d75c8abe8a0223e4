//! `POST /coverages-api`: takes an archive in. Parameters are checked first, then the token, and only then the body.

mod attempt;
mod incoming;

use super::{parameters::Parameters, peer::peer, record_json::RecordJson};
use crate::{
    auth::{Subject, Visitor},
    commit_status,
    error::{ApiError, chain},
    ingest::{IngestError, Taken, Upload, ingest},
    state::AppState,
    store::{Published, Record},
};
use app::domain::Repository;
use attempt::Attempt;
use axum::{
    Json,
    extract::{FromRequest, Multipart, Request, State, multipart::MultipartRejection},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use incoming::Incoming;
use serde::Serialize;
use std::net::IpAddr;
use tracing::Instrument;

#[derive(Serialize)]
struct Answer<'a> {
    coverage: RecordJson<'a>,
    data: Vec<RecordJson<'a>>,
}

pub(super) async fn upload(
    State(state): State<AppState>,
    request: Request,
) -> Result<Response, ApiError> {
    let uploads = state.uploads.clone();
    // A task of its own: a client that hangs up breaks its body off, but ends neither a publication nor the ledger's row.
    let task = uploads.spawn(attempt(state, request).in_current_span());
    task.await.map_err(|error| ApiError::unavailable(&error))?
}

/// One upload from its request to its answer, and its row in the ledger.
async fn attempt(state: AppState, request: Request) -> Result<Response, ApiError> {
    let mut attempt = Attempt::of(&request);
    let (parts, body) = request.into_parts();
    let incoming = Incoming::new(body, &parts.headers, &state.limits);
    let request = Request::from_parts(parts, incoming.body());
    let taken = take(&state, request, &incoming, &mut attempt).await;
    let Err(refusal) = taken else {
        conclude(&state, attempt, &incoming).await;
        // There may be further parts, which nobody wants, but which their client wants to be rid of.
        incoming.linger();
        return taken;
    };
    let failure = incoming.failure().await;
    let is_slow = matches!(failure, Some(IngestError::Slow(_)));
    let refusal = failure.map_or(refusal, ApiError::from);
    attempt.refused(&refusal);
    if let Some(proof) = attempt.proof() {
        commit_status::tell_refused(proof, &refusal).await;
    }
    conclude(&state, attempt, &incoming).await;
    // Whoever sends next to nothing was waited for long enough.
    if !is_slow {
        incoming.linger();
    }
    Err(refusal)
}

/// Writes down what became of an upload: in the log, the metrics and the ledger.
async fn conclude(state: &AppState, attempt: Attempt, incoming: &Incoming) {
    let (bytes, took) = (incoming.bytes(), attempt.age());
    let entry = attempt.finish(bytes);
    state.metrics.uploads().ended(&entry.code, bytes, took);
    attempt::log(&entry);
    state.ledger.add(entry).await;
}

async fn take(
    state: &AppState,
    request: Request,
    incoming: &Incoming,
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    let (query, headers) = (request.uri().query(), request.headers());
    let upload = authorised(state, query, headers, peer(&request), attempt).await?;
    let mut multipart = Multipart::from_request(request, &())
        .await
        .map_err(not_multipart)?;
    while let Some(part) = multipart.next_field().await.map_err(IngestError::Body)? {
        if part.name() == Some("file") {
            incoming.begin_file();
            let repository = upload.repository.clone();
            let taken = ingest(state, upload, part).await?;
            attempt.taken(&taken);
            if let Some(proof) = attempt.proof() {
                commit_status::tell_taken(state, proof, &taken.published.record).await;
            }
            let current = current_records(state, &repository, &taken).await;
            return Ok(answer(&taken.published, &current));
        }
    }
    let detail = "The multipart body has no part named `file`; send the archive as one.";
    Err(ApiError::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "missing_file_part",
        detail,
    ))
}

/// What the answer lists. The record is stored by now: nothing may turn its upload into a failure any more.
async fn current_records(state: &AppState, repository: &Repository, taken: &Taken) -> Vec<Record> {
    match state.store.current_records(repository).await {
        Ok(records) => records,
        Err(error) => {
            let cause = chain(&error);
            tracing::error!(cause, "an upload's answer lists only its own record");
            vec![taken.published.record.clone()]
        }
    }
}

async fn authorised(
    state: &AppState,
    query: Option<&str>,
    headers: &HeaderMap,
    peer: IpAddr,
    attempt: &mut Attempt,
) -> Result<Upload, ApiError> {
    let mut parameters = Parameters::of(query)?;
    attempt.names(&parameters);
    let vcs_api_url = vcs_api_url(&mut parameters);
    let upload = upload_of(&mut parameters);
    let mut upload = parameters.check(upload)?;
    let visitor = Visitor {
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
    let admission = state.uploaders.admit(visitor, subject).await?;
    upload.vouching = admission.vouching.clone();
    attempt.admitted(admission);
    Ok(upload)
}

/// Every parameter is looked at before any of them decides, so that all mistakes are found.
fn upload_of(parameters: &mut Parameters) -> Option<Upload> {
    let (org, repo) = (
        parameters.required("org_name"),
        parameters.required("repo_name"),
    );
    let (branch, commit) = (
        parameters.required("branch_name"),
        parameters.required("commit_hash"),
    );
    let (author, language) = (
        parameters.required("commit_author"),
        parameters.required("language"),
    );
    let coverage_file = parameters.required("coverage_xml_file_name");
    Some(Upload {
        repository: Repository {
            org: org?,
            repo: repo?,
        },
        branch: branch?,
        commit: commit?,
        author: author?,
        language: language?,
        coverage_file: coverage_file?,
        vouching: None,
    })
}

/// `github_api_url` is its name in the steps of the system that this one replaces.
pub(super) fn vcs_api_url(parameters: &mut Parameters) -> Option<String> {
    let url = parameters
        .text("vcs_api_url")
        .or(parameters.text("github_api_url"))?
        .to_owned();
    if !is_web_address(&url) {
        parameters.refuse(
            "vcs_api_url",
            "must be an http or https URL of at most 2048 bytes",
        );
    }
    Some(url)
}

fn is_web_address(url: &str) -> bool {
    let scheme = url
        .split_once("://")
        .map(|(scheme, _)| scheme.to_ascii_lowercase());
    url.len() <= 2_048
        && matches!(scheme.as_deref(), Some("http" | "https"))
        && url.parse::<axum::http::Uri>().is_ok()
}

fn not_multipart(rejection: MultipartRejection) -> ApiError {
    let detail = format!(
        "Send the archive as multipart/form-data, in a part named `file`. ({})",
        rejection.body_text()
    );
    ApiError::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "unsupported_media_type",
        detail,
    )
}

fn answer(published: &Published, current: &[Record]) -> Response {
    let record = &published.record;
    let answer = Json(Answer {
        coverage: RecordJson(record),
        data: current.iter().map(RecordJson).collect(),
    });
    if published.is_new {
        let location = [(header::LOCATION, format!("/records/{}", record.id))];
        (StatusCode::CREATED, location, answer).into_response()
    } else {
        (StatusCode::OK, answer).into_response()
    }
}
