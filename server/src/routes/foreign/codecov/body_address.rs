//! The address for the body of an upload: unguessable, for ten minutes, for one body at a time until its first success, on every
//! instance. The stored statement has the token, sealed with the address; the body is authorised with it again.

use super::{address::BODY, answer, payload};
use crate::{
    http::error::ApiError,
    routes::{
        foreign::{
            receive::{self, Sender, receive as receive_files},
            statement::Statement,
        },
        upload::{Attempt, Incoming},
    },
    state::AppState,
};
use access::{ClientRequest, Ticket};
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use domain::{Repository, text::hexadecimal};
use futures::TryStreamExt;
use ingest::IngestError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::time::sleep;

const SECONDS: u32 = 600;

/// The most bytes of results of tests, which nobody keeps.
const IGNORED_BYTES: u64 = 16 << 20;

/// How long a request pauses before it looks again whether another one is done.
const PAUSE: Duration = Duration::from_millis(500);

/// What the address stands for.
#[derive(Serialize, Deserialize)]
struct Kept {
    statement: Statement,
    /// The client of the call, for which the body counts.
    address: IpAddr,
    /// The `Authorization` header of the call, sealed.
    token: String,
    /// Whether the body is read and not stored.
    is_ignored: bool,
}

/// Stores a statement, and returns the address for its body.
pub(super) async fn keep(
    state: &AppState,
    repository: &Repository,
    statement: Statement,
    from: Sender<'_>,
    is_ignored: bool,
) -> Result<String, ApiError> {
    let ticket = Ticket::random();
    let token = from.headers.get(header::AUTHORIZATION);
    let token = token.and_then(|token| token.to_str().ok());
    let client = ClientRequest {
        headers: from.headers,
        peer: from.peer,
        vcs_api_url: None,
    };
    let kept = Kept {
        statement: statement.plain(),
        address: state.uploaders.address(client),
        token: ticket.seal(token.unwrap_or_default()).unwrap_or_default(),
        is_ignored,
    };
    let kept = serde_json::to_string(&kept)?;
    receive::keep(state, repository, &ticket.hash(), &kept, SECONDS).await?;
    let url = &state.public_url.0;
    Ok(format!("{url}/upload/bodies/{BODY}{}", ticket.text()))
}

/// What an address led to: the same body again has the same answer, because clients repeat a request whose answer was lost.
#[derive(Serialize, Deserialize)]
struct Done {
    digest: String,
    url: String,
}

/// Receives the body of an upload.
pub(super) async fn receive(
    state: &AppState,
    ticket: &Ticket,
    (body, incoming): (Body, &Incoming),
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    let (writer, hash) = (state.ingest.store.writer(), ticket.hash());
    attempt.calls();
    let kept = match claimed(state, &hash).await? {
        Claimed::Statement(kept) => *kept,
        Claimed::Done(done) => return again(&done, body, incoming).await,
    };
    if kept.is_ignored {
        discard(body, incoming, IGNORED_BYTES).await?;
        return Ok(answer::stored(&page(state, &kept)));
    }
    attempt.is_upload();
    let stored = store(state, (ticket, &kept), (body, incoming), attempt).await;
    match &stored {
        Ok(done) => {
            let done = serde_json::to_string(done)?;
            writer.use_foreign_request(&hash, &done).await?;
        }
        Err(_) => writer.release_foreign_request(&hash).await?,
    }
    Ok(answer::stored(&stored?.url))
}

/// What an address leads to.
enum Claimed {
    Statement(Box<Kept>),
    Done(Done),
}

/// Claims an address for a body that is stored. While another request sends the body, this one waits: a client whose connection broke
/// repeats its request at once, and takes a refusal for the end.
async fn claimed(state: &AppState, hash: &str) -> Result<Claimed, ApiError> {
    let writer = state.ingest.store.writer();
    let until = Instant::now() + state.budget.foreign_wait;
    let mut permit = None;
    loop {
        let found = writer.foreign_request(hash).await?;
        let found = found.ok_or_else(answer::unknown)?;
        // Until it is done, the statement is kept.
        if let Ok(done) = serde_json::from_str(&found.stated) {
            return Ok(Claimed::Done(done));
        }
        let kept: Kept = serde_json::from_str(&found.stated).map_err(|_| answer::unknown())?;
        if found.used_at.is_none()
            && (kept.is_ignored || writer.claim_foreign_request(hash).await?)
        {
            return Ok(Claimed::Statement(Box::new(kept)));
        }
        if permit.is_none() {
            permit = state.budget.repeated_body(kept.address).await;
        }
        if permit.is_none() || Instant::now() >= until {
            return Err(under_way());
        }
        sleep(PAUSE).await;
    }
}

/// Stores the body of a claimed address.
async fn store(
    state: &AppState,
    (ticket, kept): (&Ticket, &Kept),
    (body, incoming): (Body, &Incoming),
    attempt: &mut Attempt,
) -> Result<Done, ApiError> {
    let digest = Digesting::default();
    let sent = (digest.around(body), incoming);
    let token = ticket
        .open(&kept.token)
        .and_then(|token| HeaderValue::try_from(token).ok());
    let token = token.map(|token| (header::AUTHORIZATION, token));
    let headers = HeaderMap::from_iter(token);
    let from = Sender {
        headers: &headers,
        peer: kept.address,
    };
    let (statement, read) = (&kept.statement, payload::whole());
    let accepted = receive_files(state, statement, from, sent, attempt, read).await?;
    let url = match accepted.first() {
        Some(accepted) => state.review.places.record(accepted.published.record.id),
        None => page(state, kept),
    };
    Ok(Done {
        digest: digest.hexadecimal(),
        url,
    })
}

/// Answers a body after the first success.
async fn again(done: &Done, body: Body, incoming: &Incoming) -> Result<Response, ApiError> {
    let digest = Digesting::default();
    discard(digest.around(body), incoming, u64::MAX).await?;
    match digest.hexadecimal() == done.digest {
        true => Ok(answer::stored(&done.url)),
        false => Err(answer::unknown()),
    }
}

/// Clients repeat a request after this answer, and get the result of the first.
fn under_way() -> ApiError {
    ApiError::busy("Another request sends the body of this upload; try again in a few seconds.")
}

fn page(state: &AppState, kept: &Kept) -> String {
    let Statement { org, repo, .. } = &kept.statement;
    answer::page(state, &format!("{org}/{repo}"))
}

/// The digest of a body while it is read.
#[derive(Clone, Default)]
struct Digesting(Arc<Mutex<Sha256>>);

impl Digesting {
    fn around(&self, body: Body) -> Body {
        let digest = self.clone();
        let body = body.into_data_stream();
        Body::from_stream(body.inspect_ok(move |chunk| digest.lock().update(chunk)))
    }

    fn hexadecimal(&self) -> String {
        hexadecimal(&self.lock().clone().finalize())
    }

    fn lock(&self) -> MutexGuard<'_, Sha256> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads a body within the limits of an upload, and of at most so many bytes.
async fn discard(body: Body, incoming: &Incoming, most: u64) -> Result<(), ApiError> {
    incoming.begin_part();
    let (mut body, mut bytes) = (body.into_data_stream(), 0);
    loop {
        match body.try_next().await {
            Ok(Some(chunk)) => {
                bytes += chunk.len() as u64;
                if bytes > most {
                    return Err(IngestError::TooLarge(most).into());
                }
            }
            Ok(None) => return Ok(()),
            Err(error) => {
                return Err(ApiError::malformed(format!(
                    "The body is interrupted; send it again. ({error})"
                )));
            }
        }
    }
}
