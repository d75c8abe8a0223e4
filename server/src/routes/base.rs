//! `GET /coverages-api/base`: the record that a push to the main branch is compared with, requested before its upload.

use super::{
    etag::json,
    openapi::refusals::{self, IfNoneMatch, NotModified},
    parameters::{Described, Parameters, Required, parameters},
    peer::peer,
    upload::{ForgeParameters, vcs_api_url},
};
use crate::{
    http::error::{ApiError, Code},
    state::AppState,
};
use access::{ClientRequest, Subject};
use axum::{
    extract::{Request, State},
    response::Response,
};
use domain::{
    BranchName, CommitHash, Language, NameError, OrgName, RepoName, Repository, text::rfc3339,
};
use review::status;
use serde::Serialize;
use std::str::FromStr;
use store::Push;
use utoipa::ToSchema;

pub(super) const PATH: &str = "/coverages-api/base";

parameters! {
    struct BaseParameters {
        org_name: Required<OrgName>,
        repo_name: Required<RepoName>,
        /// The branch of the upload. Only the main branch and its merge queue have an answer.
        branch_name: Required<BranchName>,
        language: Required<Language>,
        /// The commit of the upload.
        commit_hash: Required<CommitHash>,
        /// Commits before `commit_hash`, the best base first: the first parents that the clone knows, and the tip before the
        /// push.
        ancestors: Option<Ancestors>,
    }
}

/// The most ancestors. Each may cost a query.
const MOST_ANCESTORS: usize = 50;

#[derive(Default)]
pub(super) struct Ancestors(Vec<CommitHash>);

impl FromStr for Ancestors {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim_matches(' ');
        let commits = text.strip_suffix(',').unwrap_or(text).split(',');
        if commits.clone().count() > MOST_ANCESTORS {
            return Err(format!("must have at most {MOST_ANCESTORS} commits"));
        }
        let commits = commits.map(|commit| commit.trim_matches(' ').parse());
        let commits = commits.collect::<Result<_, NameError>>();
        commits
            .map(Self)
            .map_err(|error| format!("must be commits with commas between them; each {error}"))
    }
}

/// The record to compare a push with.
#[derive(Serialize, ToSchema)]
#[schema(as = PushBase)]
struct BaseJson<'a> {
    /// The id of the record.
    #[schema(minimum = 1, examples(9))]
    id: i64,
    /// Its commit: what to send as `base_commit`, with the changes since then.
    #[schema(examples("5b174c2d6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1c"))]
    commit_hash: &'a str,
    /// The tree of that commit; null if no upload stated it.
    #[schema(examples("4b825dc642cb6eb9a060e54bf8d69288fbee4904"))]
    tree_hash: Option<&'a str>,
    /// When that commit was first uploaded.
    #[schema(format = DateTime, examples("2026-04-05T17:15:59.624890+00:00"))]
    created_at: String,
}

/// Get the record to compare a push with
///
/// For a push to the main branch, before its upload: the record whose commit the form field `changes` should start from. It is
/// the first of these that exists: (1) if the commit already has a record with changes, the base of these changes, so that a
/// retry keeps them; (2) the record of the first of `ancestors` that has a complete record; (3) any other base of the commit's
/// record; (4) the complete record of the branch whose first upload is the newest. It is never a record of the commit itself. The
/// request needs the token of the upload, whether or not reading is protected. With a token of a forge, the status of the commit
/// is pending until the upload that follows.
#[utoipa::path(
    get,
    path = "/coverages-api/base",
    operation_id = "pushBase",
    tag = "uploads",
    params(BaseParameters, ForgeParameters, IfNoneMatch),
    responses(
        (status = 200, description = "The record to compare with.", body = BaseJson),
        NotModified,
        refusals::PushBase
    ),
    security(("upload_token" = []))
)]
pub(super) async fn read(
    State(state): State<AppState>,
    request: Request,
) -> Result<Response, ApiError> {
    let mut parameters = Parameters::of(request.uri().query())?;
    let vcs_api_url = vcs_api_url(&mut parameters);
    let read = BaseParameters::read(&mut parameters);
    let asked = parameters.check(read)?;
    let (Required(org), Required(repo)) = (asked.org_name, asked.repo_name);
    let repository = Repository { org, repo };
    let client = ClientRequest {
        headers: request.headers(),
        peer: peer(&request),
        vcs_api_url: vcs_api_url.as_deref(),
    };
    let context = status::context(&asked.language.0);
    let subject = Subject {
        repository: &repository,
        branch: Some(&asked.branch_name.0),
        target_branch: None,
        commit: &asked.commit_hash.0,
        status_context: &context,
    };
    let admission = state.uploaders.admit(client, subject).await?;
    if let Some(proof) = admission.proof {
        proof.leave_pending();
    }
    let push = Push {
        repository: &repository,
        branch: admission
            .queued_for
            .as_ref()
            .unwrap_or(&asked.branch_name.0),
        language: &asked.language.0,
        commit: &asked.commit_hash.0,
        ancestors: &asked.ancestors.unwrap_or_default().0,
    };
    let base = state.store.everything().push_base(push).await?;
    let base = base.ok_or_else(no_base)?;
    let answer = BaseJson {
        id: base.id,
        commit_hash: base.commit.as_str(),
        tree_hash: base.tree.as_deref(),
        created_at: rfc3339(base.created_at),
    };
    json(request.headers(), &answer)
}

fn no_base() -> ApiError {
    ApiError::new(
        Code::NoBase,
        "There is no record to compare this commit with: the branch is not the main branch, or it has no other complete record in this language.",
    )
}
