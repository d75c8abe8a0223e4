//! `POST /coverages-api`: takes an archive in. Parameters are checked first, then the token, and only then the body.

use super::{parameters::Parameters, record_json::RecordJson};
use crate::{
    error::ApiError,
    ingest::{IngestError, Upload, ingest},
    state::AppState,
    store::Record,
};
use app::domain::Repository;
use axum::{
    Json,
    body::Body,
    extract::{FromRequest, Multipart, RawQuery, Request, State, multipart::MultipartRejection},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use futures::StreamExt;
use serde::Serialize;
use std::time::Duration;
use tokio::time::timeout;

/// How much of a body is read away, and for how long, after its parameters or its token were refused: enough for a
/// small upload, whose client would otherwise see a broken connection instead of the answer.
const LINGER_BYTES: usize = 1 << 20;
const LINGER_TIME: Duration = Duration::from_secs(2);

#[derive(Serialize)]
struct Answer<'a> {
    coverage: RecordJson<'a>,
    data: Vec<RecordJson<'a>>,
}

pub(super) async fn upload(
    State(state): State<AppState>,
    RawQuery(query): RawQuery,
    request: Request,
) -> Result<Response, ApiError> {
    let upload = match authorised(&state, query.as_deref(), request.headers()).await {
        Ok(upload) => upload,
        Err(refusal) => {
            linger(request).await;
            return Err(refusal);
        }
    };
    let mut multipart = Multipart::from_request(request, &())
        .await
        .map_err(not_multipart)?;
    while let Some(part) = multipart.next_field().await.map_err(IngestError::Body)? {
        if part.name() == Some("file") {
            let repository = upload.repository.clone();
            let published = ingest(&state, upload, part).await?;
            let current = state.store.current_records(&repository).await?;
            return Ok(answer(&published.record, published.is_new, &current));
        }
    }
    let detail = "The multipart body has no part named `file`; send the archive as one.";
    Err(ApiError::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "missing_file_part",
        detail,
    ))
}

async fn authorised(
    state: &AppState,
    query: Option<&str>,
    headers: &HeaderMap,
) -> Result<Upload, ApiError> {
    let (upload, vcs_api_url) = upload_of(query)?;
    state.tokens.check(headers, vcs_api_url.as_deref()).await?;
    Ok(upload)
}

fn upload_of(query: Option<&str>) -> Result<(Upload, Option<String>), ApiError> {
    let mut parameters = Parameters::of(query);
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
    let vcs_api_url = parameters
        .text("vcs_api_url")
        .or(parameters.text("github_api_url"))
        .map(str::to_owned);
    if vcs_api_url
        .as_deref()
        .is_some_and(|url| !is_web_address(url))
    {
        parameters.refuse(
            "vcs_api_url",
            "must be an http or https URL of at most 2048 bytes",
        );
    }
    match (org, repo, branch, commit, author, language, coverage_file) {
        (
            Some(org),
            Some(repo),
            Some(branch),
            Some(commit),
            Some(author),
            Some(language),
            Some(coverage_file),
        ) => {
            parameters.check()?;
            Ok((
                Upload {
                    repository: Repository { org, repo },
                    branch,
                    commit,
                    author,
                    language,
                    coverage_file,
                },
                vcs_api_url,
            ))
        }
        _ => Err(parameters
            .check()
            .err()
            .unwrap_or_else(|| ApiError::parameters(Default::default()))),
    }
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

fn answer(record: &Record, is_new: bool, current: &[Record]) -> Response {
    let answer = Json(Answer {
        coverage: RecordJson(record),
        data: current.iter().map(RecordJson).collect(),
    });
    if is_new {
        (
            StatusCode::CREATED,
            [(header::LOCATION, format!("/records/{}", record.id))],
            answer,
        )
            .into_response()
    } else {
        (StatusCode::OK, answer).into_response()
    }
}

/// Reads a refused body away, unless the client waits for leave to send it.
async fn linger(request: Request<Body>) {
    if request.headers().contains_key(header::EXPECT) {
        return;
    }
    let mut left = LINGER_BYTES;
    let mut chunks = request.into_body().into_data_stream();
    let rest = async {
        while let Some(Ok(chunk)) = chunks.next().await {
            left = left.saturating_sub(chunk.len());
            if left == 0 {
                break;
            }
        }
    };
    timeout(LINGER_TIME, rest).await.ok();
}
