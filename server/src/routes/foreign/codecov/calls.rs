//! The calls with JSON: each is authorised like an upload, and keeps what the client states for the body that follows.

use super::{
    address::Of,
    answer, body_address,
    stated::{Stated, about, with_branch},
};
use crate::{
    http::error::ApiError,
    routes::{
        foreign::{
            receive::{Sender, admit, admit_own_token, call_body, keep},
            statement::Statement,
        },
        upload::{Attempt, Incoming},
    },
    state::AppState,
};
use access::{Ticket, token_text};
use axum::response::Response;
use domain::{CommitHash, PullRequest, Repository};

/// How long the branch of a commit is kept for its uploads.
const COMMIT_SECONDS: u32 = 3_600;

/// How long the base of a pull request is kept.
const BASE_SECONDS: u32 = 30 * 86_400;

/// An upload in one call.
pub(super) async fn upload(
    state: &AppState,
    of: Of,
    from: Sender<'_>,
    incoming: &Incoming,
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    let stated = Stated::read(&call_body(incoming).await?)?;
    check_size(state, &stated)?;
    let statement = stated.statement(state, &of, from.headers);
    announced(state, statement, from, attempt).await
}

/// The first of three calls: keeps the branch and the pull request of a commit.
pub(super) async fn commit(
    state: &AppState,
    of: Of,
    from: Sender<'_>,
    incoming: &Incoming,
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    let stated = Stated::read(&call_body(incoming).await?)?;
    let statement = with_branch(stated.statement(state, &of, from.headers))?;
    let repository = check(state, &statement, from, attempt).await?;
    let ticket = commit_ticket(&of, &statement.commit, from);
    let kept = serde_json::to_string(&statement.plain())?;
    keep(state, &repository, &ticket.hash(), &kept, COMMIT_SECONDS).await?;
    Ok(answer::created())
}

/// The second of three calls states nothing.
pub(super) async fn report(incoming: &Incoming) -> Result<Response, ApiError> {
    call_body(incoming).await?;
    Ok(answer::created())
}

/// The third of three calls: an upload for the commit of the first.
pub(super) async fn upload_of(
    state: &AppState,
    (of, sha): (Of, String),
    from: Sender<'_>,
    incoming: &Incoming,
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    let stated = Stated::read(&call_body(incoming).await?)?;
    check_size(state, &stated)?;
    let ticket = commit_ticket(&of, &sha, from);
    let kept = state.ingest.store.writer();
    let kept = kept.foreign_request(&ticket.hash()).await?;
    let Some(kept) = kept else {
        access::show_token(from.headers)?;
        return Err(ApiError::parameter(
            "branch_name",
            "is not known: no `create-commit` with this token came before; run it first".to_owned(),
        ));
    };
    let commit: Statement = serde_json::from_str(&kept.stated).map_err(|_| answer::unknown())?;
    let statement = Statement {
        branch: commit.branch,
        commit: sha,
        pull_request: commit.pull_request,
        ..stated.statement(state, &of, from.headers)
    };
    announced(state, statement, from, attempt).await
}

/// Authorises an upload whose body follows, and answers with the address of the body.
pub(super) async fn announced(
    state: &AppState,
    statement: Statement,
    from: Sender<'_>,
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    let (statement, repository, address) = address_of(state, statement, from, attempt).await?;
    Ok(answer::body_at(
        state,
        &statement.commit,
        &address,
        &repository,
    ))
}

/// Authorises an upload whose body follows. Returns its statement, its repository and the address of the body.
pub(super) async fn address_of(
    state: &AppState,
    statement: Statement,
    from: Sender<'_>,
    attempt: &mut Attempt,
) -> Result<(Statement, String, String), ApiError> {
    let mut statement = with_branch(statement)?;
    let repository = check(state, &statement, from, attempt).await?;
    if let Some(number) = &statement.pull_request {
        let kept = state.ingest.store.writer();
        let kept = kept.foreign_request(&base_key(&repository, number)).await?;
        statement.base_commit = kept.map(|kept| kept.stated);
    }
    let address = body_address::keep(state, &repository, statement.clone(), from, false).await?;
    Ok((statement, repository.to_string(), address))
}

/// Results of tests: authorised and not stored, as the ledger says.
pub(super) async fn test_results(
    state: &AppState,
    from: Sender<'_>,
    incoming: &Incoming,
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    let stated = Stated::read(&call_body(incoming).await?)?;
    let slug = stated.text("slug").unwrap_or_default();
    let of = Of::read("", &slug).or_else(|| Of::read_plain("", &slug));
    let of =
        of.ok_or_else(|| ApiError::parameter("slug", "must be like acme/payments".to_owned()))?;
    let statement = Statement {
        commit: stated.text("commit").unwrap_or_default(),
        ..stated.statement(state, &of, from.headers)
    };
    let statement = with_branch(statement)?;
    let repository = check(state, &statement, from, attempt).await?;
    attempt.answered(
        "test_results",
        "Results of tests are not stored, only coverage.",
    );
    let address = body_address::keep(state, &repository, statement, from, true).await?;
    let id = repository.to_string();
    Ok(answer::body_at(state, "", &address, &id))
}

/// Sets the base commit of a pull request for its later uploads. It needs a token of this service: with other tokens, the forge says
/// what a pull request changes.
pub(super) async fn base(
    state: &AppState,
    (of, number): (Of, String),
    from: Sender<'_>,
    incoming: &Incoming,
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    let body = call_body(incoming).await?;
    let mut form = form_urlencoded::parse(&body);
    let base = form.find(|(name, _)| name == "user_provided_base_sha");
    let base = base.map(|(_, sha)| sha.into_owned()).unwrap_or_default();
    let statement = Statement {
        // No upload: only the right to upload counts.
        branch: "HEAD".to_owned(),
        commit: base.clone(),
        ..about(state, &of)
    };
    let parameters = statement.parameters();
    attempt.names(&parameters);
    let (Ok(org), Ok(repo), Ok(base)) =
        (of.org.parse(), of.repo.parse(), base.parse::<CommitHash>())
    else {
        return Err(ApiError::parameter(
            "user_provided_base_sha",
            "must be a commit of a repository such as acme/payments".to_owned(),
        ));
    };
    let repository = Repository { org, repo };
    admit_own_token(state, &repository, from).await?;
    let number: PullRequest = number
        .parse()
        .map_err(|_| ApiError::parameter("pull_request", "must be a number".to_owned()))?;
    let key = base_key(&repository, &number.to_string());
    keep(state, &repository, &key, base.as_str(), BASE_SECONDS).await?;
    Ok(answer::said(&format!(
        "The next uploads of pull request {number} are compared with {base}."
    )))
}

/// Authorises an upload, and leaves the status of its commit pending for the body that follows.
pub(super) async fn check(
    state: &AppState,
    statement: &Statement,
    from: Sender<'_>,
    attempt: &mut Attempt,
) -> Result<Repository, ApiError> {
    let (upload, ..) = admit(state, statement, from, attempt).await?;
    if let Some(proof) = attempt.proof.take() {
        proof.leave_pending();
    }
    let (store, quotas) = (state.ingest.store.writer(), state.limits.quotas());
    store.check_quotas(&quotas, upload.stated.key()).await?;
    Ok(upload.stated.repository)
}

/// Refuses a body that is too large before it is sent.
fn check_size(state: &AppState, stated: &Stated) -> Result<(), ApiError> {
    let bytes = stated.text("report_payload_bytes");
    let bytes: Option<u64> = bytes.and_then(|bytes| bytes.parse().ok());
    let limit = state.limits.max_upload_bytes;
    match bytes {
        Some(bytes) if bytes > limit => Err(ingest::IngestError::TooLarge(limit).into()),
        _ => Ok(()),
    }
}

/// What the calls for one commit have in common.
fn commit_ticket(of: &Of, sha: &str, from: Sender<'_>) -> Ticket {
    let token = token_text(from.headers).unwrap_or_default();
    Ticket::derived(&["commit", token, &of.org, &of.repo, sha])
}

fn base_key(repository: &Repository, number: &str) -> String {
    Ticket::derived(&["base", &repository.key(), number]).hash()
}
