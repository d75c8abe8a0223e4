//! `PUT /coverages-api`: accepts the list of active branches.

mod body;

use super::{
    openapi::refusals,
    parameters::{Parameters, Required},
    peer::peer,
    upload::vcs_api_url,
};
use crate::{http::error::ApiError, state::AppState};
use access::{Admission, ClientRequest, Subject, show_token};
use axum::{
    Json,
    extract::{Request, State},
};
use body::{Members, active_branches, read};
use domain::{CommitHash, Repository, text::chain};
use forges::State as Outcome;
use review::status;
use serde::Serialize;
use store::{BranchList, actor::Actor};
use utoipa::ToSchema;

/// The answer to an accepted list.
#[derive(Serialize, ToSchema)]
#[schema(as = Done)]
pub(super) struct Success {
    /// Always `1`.
    #[schema(examples("1"))]
    success: &'static str,
}

struct Names {
    repository: Repository,
    commit: CommitHash,
    vcs_api_url: Option<String>,
}

/// Send the list of active branches
///
/// Branches that are not listed stop being current, except a main branch that the operator has configured. Their
/// records stay, and are listed with `full`. An identity of a CI system is accepted only on the main branch, and the
/// token of a forge never ends the main branch.
#[utoipa::path(
    put,
    path = "/coverages-api",
    operation_id = "retireBranches",
    tag = "uploads",
    request_body(content = Members, description = "At most 256 KiB, unless the operator allows another size."),
    responses((status = 200, description = "Other branches are no longer current.", body = Success), refusals::Branches),
    security(("upload_token" = []))
)]
pub(super) async fn retire(
    State(state): State<AppState>,
    request: Request,
) -> Result<Json<Success>, ApiError> {
    let peer = peer(&request);
    let (parts, body) = request.into_parts();
    // Without a token, the body is not read.
    show_token(&parts.headers)?;
    let body = read(&state, &parts.headers, body).await?;
    let names = names(&body)?;
    let client = ClientRequest {
        headers: &parts.headers,
        peer,
        vcs_api_url: names.vcs_api_url.as_deref(),
    };
    let subject = Subject {
        repository: &names.repository,
        branch: None,
        target_branch: None,
        commit: &names.commit,
        status_context: status::BRANCHES,
    };
    let admission = state.uploaders.admit(client, subject).await?;
    let by = admission.actor(state.uploaders.address(client));
    // A separate task, so that no status stays pending if the client disconnects.
    let uploads = state.uploads.clone();
    let task = uploads.spawn(async move {
        let retired = retire_branches(&state, &names.repository, &body, &admission, &by).await;
        if let (Some(proof), Err(refusal)) = (&admission.proof, &retired) {
            proof.conclude_refused(&refusal.detail).await;
        }
        retired
    });
    task.await?
}

async fn retire_branches(
    state: &AppState,
    repository: &Repository,
    body: &[u8],
    admission: &Admission,
    by: &Actor,
) -> Result<Json<Success>, ApiError> {
    // Parsed only now, so that waiting for a forge holds only the bytes of the body.
    let active = active_branches(body)?;
    let list = BranchList {
        active: &active,
        forge_claim: admission.forge_claim.as_ref(),
        from_branch: admission.said_on.as_ref(),
        by,
    };
    let writer = state.store.writer();
    let retired = writer.retire_branches(repository, list).await?;
    tracing::info!(%repository, by = admission.name, retired, "branches were retired");
    if let Some(id) = admission.token_id
        && let Err(error) = writer.token_used(id).await
    {
        let cause = chain(&error);
        tracing::warn!(cause, "the last use of a token was not recorded");
    }
    if let Some(proof) = &admission.proof {
        let description = format!("{} branches are active", active.len());
        let status = proof.pending().with(Outcome::Success, description);
        proof.conclude(status).await;
    }
    Ok(Json(Success { success: "1" }))
}

fn names(body: &[u8]) -> Result<Names, ApiError> {
    let members = Members::of(body)?;
    let mut parameters = Parameters::of_members(members.texts());
    let vcs_api_url = vcs_api_url(&mut parameters);
    let org = parameters.read("org_name");
    let repo = parameters.read("repo_name");
    let commit = parameters.read("commit_hash");
    for (name, rule) in members.mistakes() {
        parameters.refuse(name, rule);
    }
    let ((Required(org), Required(repo)), Required(commit)) =
        parameters.check(org.zip(repo).zip(commit))?;
    Ok(Names {
        repository: Repository { org, repo },
        commit,
        vcs_api_url,
    })
}
