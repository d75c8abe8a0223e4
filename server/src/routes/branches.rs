//! `PUT /coverages-api`: says which branches there still are.

use super::{parameters::Parameters, peer::peer, upload::vcs_api_url};
use crate::{
    auth::{Admission, Subject, Visitor, show_token},
    commit_status,
    error::ApiError,
    state::AppState,
    vcs::State as Outcome,
};
use app::domain::{CommitHash, Repository};
use axum::{
    Json,
    body::{Body, Bytes, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
};
use http_body_util::LengthLimitError;
use serde::Serialize;
use serde_json::{Map, Value};
use std::{collections::HashSet, error::Error, time::Duration};
use tokio::time::timeout;

#[derive(Serialize)]
pub(super) struct Success {
    success: &'static str,
}

/// What a request says.
struct Listed {
    repository: Repository,
    commit: CommitHash,
    active: HashSet<String>,
}

pub(super) async fn retire(
    State(state): State<AppState>,
    request: Request,
) -> Result<Json<Success>, ApiError> {
    let peer = peer(&request);
    let (parts, body) = request.into_parts();
    // Whoever shows nothing at all is not read.
    show_token(&parts.headers)?;
    let body = read(&state, &parts.headers, body).await?;
    let (listed, vcs_api_url) = listed(&body)?;
    let visitor = Visitor {
        headers: &parts.headers,
        peer,
        vcs_api_url: vcs_api_url.as_deref(),
    };
    let subject = Subject {
        repository: &listed.repository,
        branch: None,
        commit: &listed.commit,
        status_context: commit_status::BRANCHES,
    };
    let admission = state.uploaders.admit(visitor, subject).await?;
    // A client that hangs up shall not leave its commit's status pending.
    let uploads = state.uploads.clone();
    let task = uploads.spawn(async move { apply(&state, &listed, &admission).await });
    task.await.map_err(|error| ApiError::unavailable(&error))?
}

async fn apply(
    state: &AppState,
    listed: &Listed,
    admission: &Admission,
) -> Result<Json<Success>, ApiError> {
    let (repository, active) = (&listed.repository, &listed.active);
    let retired = state.store.retire_branches(repository, active).await;
    let retired = retired.map_err(ApiError::from);
    if let Some(proof) = &admission.proof {
        match &retired {
            Ok(_) => {
                let description = format!("{} branches are active", active.len());
                proof
                    .conclude(Outcome::Success, description, None, None)
                    .await;
            }
            Err(refusal) => commit_status::tell_refused(proof, refusal).await,
        }
    }
    let (retired, by) = (retired?, &admission.name);
    tracing::info!(%repository, by, retired, "branches were retired");
    Ok(Json(Success { success: "1" }))
}

async fn read(state: &AppState, headers: &HeaderMap, body: Body) -> Result<Bytes, ApiError> {
    let media_type = headers
        .get(header::CONTENT_TYPE)
        .map(|value| value.to_str().unwrap_or_default());
    if media_type.is_some_and(|media_type| !media_type.trim_start().starts_with("application/json"))
    {
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            "Send the list of active branches as application/json.",
        ));
    }
    let (limit, patience) = (state.max_branches_bytes, state.limits.request_head_seconds);
    match timeout(Duration::from_secs(patience), to_bytes(body, limit)).await {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(error)) => Err(unread(&*error.into_inner(), limit)),
        Err(_) => Err(ApiError::new(
            StatusCode::REQUEST_TIMEOUT,
            "upload_too_slow",
            format!(
                "The list of branches did not come within {patience} seconds (REQUEST_HEAD_SECONDS); send it again."
            ),
        )),
    }
}

fn unread(error: &(dyn Error + Send + Sync + 'static), limit: usize) -> ApiError {
    match error.is::<LengthLimitError>() {
        true => ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "upload_too_large",
            format!("The list of branches is larger than {limit} bytes (MAX_BRANCHES_BYTES)."),
        ),
        false => malformed("The request broke off; send it again."),
    }
}

fn malformed(detail: &str) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, "malformed_request", detail)
}

fn listed(body: &[u8]) -> Result<(Listed, Option<String>), ApiError> {
    let Ok(members) = serde_json::from_slice::<Map<String, Value>>(body) else {
        return Err(malformed("The body is no JSON object; send one as UTF-8."));
    };
    let mut parameters = Parameters::of_members(&members);
    let vcs_api_url = vcs_api_url(&mut parameters);
    let (org, repo) = (
        parameters.required("org_name"),
        parameters.required("repo_name"),
    );
    let commit = parameters.required("commit_hash");
    let active = active(&members, &mut parameters);
    let listed = parameters.check(names(org, repo, commit, active))?;
    Ok((listed, vcs_api_url))
}

fn names(
    org: Option<app::domain::OrgName>,
    repo: Option<app::domain::RepoName>,
    commit: Option<CommitHash>,
    active: Option<HashSet<String>>,
) -> Option<Listed> {
    Some(Listed {
        repository: Repository {
            org: org?,
            repo: repo?,
        },
        commit: commit?,
        active: active?,
    })
}

/// The names of the branches. What can be no branch's name, such as the `->` that git prints between two, does no harm.
fn active(members: &Map<String, Value>, parameters: &mut Parameters) -> Option<HashSet<String>> {
    let names = members.get("active_branches").and_then(Value::as_array);
    let names = names.map(|names| {
        let names = names.iter().map(|name| name.as_str().map(str::to_owned));
        names.collect::<Option<HashSet<_>>>()
    });
    match names {
        Some(Some(names)) => return Some(names),
        Some(None) => parameters.refuse("active_branches", "must hold texts only"),
        None => parameters.refuse(
            "active_branches",
            "must be an array of the names of all branches",
        ),
    }
    None
}
