//! Coveralls' clients: `POST /api/v1/jobs` with the coverage of a job, and `POST /webhook` after the jobs of a parallel build. The token
//! is in the body.

mod answer;
mod badge;
mod body;
mod form;
mod job;
mod split;
mod webhook;

use super::{client, receive, receive::Sender, statement::Statement};
use crate::{
    http::error::{ApiError, Code},
    routes::{
        peer::peer,
        upload::{Attempt, Incoming, handled},
    },
    state::AppState,
};
use answer::{answered, done};
use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, header},
    response::Response,
    routing::post,
};
pub(super) use badge::address as badge_address;
use domain::Repository;
use flate2::read::DeflateDecoder;
use ingest::{BodyReader, ForeignFiles, IngestError, Meter, Received, Slowness};
use job::Job;
use receive::Read;
use std::{
    io,
    net::IpAddr,
    time::{Duration, Instant},
};
use tokio::time::timeout;

/// The part for which the record of a parallel build waits, until the webhook arrives.
const PLACEHOLDER: &str = "coveralls-webhook";

/// How long a build waits for its webhook, in seconds.
const BUILD_SECONDS: u32 = 7 * 24 * 60 * 60;

pub(super) fn router() -> Router<AppState> {
    // Clients join an address that ends with a slash and a path.
    Router::new()
        .route("/api/v1/jobs", post(jobs))
        .route("//api/v1/jobs", post(jobs))
        .route("/webhook", post(webhook::end))
        .route("//webhook", post(webhook::end))
}

/// Whether a request has its token in its body.
pub(super) fn is_open(method: &Method, path: &str) -> bool {
    let path = path
        .strip_prefix('/')
        .filter(|rest| rest.starts_with('/'))
        .unwrap_or(path);
    method == Method::POST && ["/api/v1/jobs", "/webhook"].contains(&path)
}

async fn jobs(State(state): State<AppState>, request: Request) -> Response {
    let stored = handled(state, request, |state, request, incoming, attempt| {
        Box::pin(store(state, request, incoming, attempt))
    });
    answered(stored.await)
}

/// Stores the coverage of a job.
async fn store(
    state: &AppState,
    request: Request,
    incoming: &Incoming,
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    let peer = peer(&request);
    let (parts, body) = request.into_parts();
    let headers = &parts.headers;
    let since = Instant::now();
    let permit = state.budget.early_body(peer, headers).await?;
    let waited = since.elapsed();
    let seconds = state.limits.early_body_seconds;
    let receiving = body::receive(headers, body, incoming);
    let split = timeout(Duration::from_secs(seconds), receiving).await;
    let split = split.map_err(|_| IngestError::Slow(Slowness::Endless(seconds)))??;
    let job = Job::read(&split.members).map_err(ApiError::malformed)?;
    let sent = Sent::of(state, &job, (headers, peer)).await?;
    let repository = sent.repository(state, attempt).await?;
    let statement = job.statement(repository, client_of(headers));
    let statement = Statement {
        vcs_api_url: sent.vcs_api_url.clone(),
        expected: job.is_parallel().then(|| PLACEHOLDER.to_owned()),
        ..statement.map_err(incomplete)?
    };
    let files = split.files.ok_or_else(|| {
        incomplete("The job has no `source_files`; measure coverage first.".to_owned())
    })?;
    let body = (Body::from(files), incoming);
    let read = Read {
        files: read,
        early_body: Some(permit),
        waited,
        notice: sent.notice.clone(),
    };
    let accepted = receive::receive(state, &statement, sent.from(), body, attempt, read).await?;
    if let Some(number) = job.build().filter(|_| job.is_parallel()) {
        for accepted in &accepted {
            let record = &accepted.published.record;
            let build = webhook::Build::of(&statement, record);
            build.keep(state, &record.repository, number).await?;
        }
    }
    Ok(done(state, &accepted))
}

/// Reads the packed files of a job.
fn read(
    body: Received<BodyReader>,
    meter: &Meter,
    files: &mut ForeignFiles,
) -> Result<(), IngestError> {
    let mut plain = meter.unpack(DeflateDecoder::new(body));
    files.read("The job", &mut plain)?;
    // A client unites the coverage files of a repository into one job.
    files.split_by_language();
    let rest = io::copy(&mut plain, &mut io::sink());
    rest.map(drop).map_err(|error| meter.explain(error))
}

/// Who sends a job, and for which repository.
struct Sent {
    /// With the token of the body.
    headers: HeaderMap,
    peer: IpAddr,
    repository: Option<Repository>,
    /// The forge to ask about a token of a forge: never an address that the job states.
    vcs_api_url: Option<String>,
    /// What is unusual about it, for the record.
    notice: Option<String>,
}

impl Sent {
    async fn of(
        state: &AppState,
        job: &Job,
        (headers, peer): (&HeaderMap, IpAddr),
    ) -> Result<Self, ApiError> {
        let token = job.token().ok_or_else(|| {
            let detail = "The job has no `repo_token`; set COVERALLS_REPO_TOKEN to an upload token of this service.";
            ApiError::new(Code::MissingToken, detail)
        })?;
        let authorization = HeaderValue::from_str(&format!("Bearer {token}"));
        let mut authorization = authorization.map_err(|_| {
            let detail = "`repo_token` has characters that no token has; copy the token again.";
            ApiError::new(Code::InvalidToken, detail)
        })?;
        authorization.set_sensitive(true);
        let mut headers = headers.clone();
        headers.insert(header::AUTHORIZATION, authorization);
        let kind = job.forge();
        let vcs_api_url = kind.and_then(|kind| state.uploaders.forges.meant_by(Some(kind)));
        // What is wrong with a token is said, and counted, when it is checked. It is wrong for another repository than its own.
        let of_token = state.uploaders.tokens.only_repository(token).await?;
        let named = job.named_repository().map_err(incomplete)?;
        let cloned = job.cloned_repository();
        let notice = match (&named, &of_token, &cloned) {
            (None, Some(own), Some(cloned)) if own.key() != cloned.key() => Some(format!(
                "The job measured a clone of {cloned}, and its token is for {own}, so its coverage is stored for {own}."
            )),
            _ => None,
        };
        Ok(Self {
            headers,
            peer,
            repository: named.or(of_token).or(cloned),
            vcs_api_url,
            notice,
        })
    }

    fn from(&self) -> Sender<'_> {
        Sender {
            headers: &self.headers,
            peer: self.peer,
        }
    }

    /// The repository.
    async fn repository(
        &self,
        state: &AppState,
        attempt: &mut Attempt,
    ) -> Result<&Repository, ApiError> {
        if let Some(repository) = &self.repository {
            return Ok(repository);
        }
        let missing = "The job does not name its repository; set COVERALLS_REPO_NAME to ORG/REPO, or use an upload token for this repository only.";
        let missing = incomplete(missing.to_owned());
        Err(receive::nameless(state, self.from(), attempt, missing).await)
    }
}

fn incomplete(detail: String) -> ApiError {
    ApiError::new(Code::InvalidParameter, detail)
}

/// The client, for the ledger: Coveralls' own reporter names itself in its own headers.
fn client_of(headers: &HeaderMap) -> Option<String> {
    let text = |name: &str| headers.get(name)?.to_str().ok();
    match text("x-coveralls-reporter") {
        Some(name) => {
            let version = text("x-coveralls-reporter-version").unwrap_or_default();
            client::of_product(format!("{name}/{version}").trim_end_matches('/'))
        }
        None => client::of_user_agent(headers),
    }
    .or_else(|| Some("coveralls".to_owned()))
}
