//! The legacy interface of Codecov's clients: the parameters are in the query, and the body is text. Its former form, v2, has the body
//! in the same request.

use super::{
    address::Of,
    answer, calls, payload,
    stated::{about, queue_of, with_branch},
};
use crate::{
    http::error::ApiError,
    routes::{
        foreign::{
            client,
            receive::{Sender, nameless, receive as receive_files},
            statement::{Statement, part_of},
        },
        parameters::Parameters,
        upload::{Attempt, Incoming},
    },
    state::AppState,
};
use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, header},
    response::Response,
};
use forges::Job;

const TOKEN: HeaderName = HeaderName::from_static("x-upload-token");

/// Authorises an upload, and answers with the address of its body in two lines.
pub(super) async fn state(
    state: &AppState,
    query: Option<&str>,
    from: Sender<'_>,
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    let asked = Parameters::of(query)?;
    let headers = with_token(from.headers, &asked);
    let from = Sender {
        headers: &headers,
        ..from
    };
    let statement = statement(state, query, &asked, from, attempt).await?;
    let (_, repository, address) = calls::address_of(state, statement, from, attempt).await?;
    Ok(answer::two_lines(state, &address, &repository))
}

/// Receives an upload whose body is in the same request.
pub(super) async fn receive(
    state: &AppState,
    query: Option<&str>,
    from: Sender<'_>,
    sent: (Body, &Incoming),
    attempt: &mut Attempt,
) -> Result<Response, ApiError> {
    let asked = Parameters::of(query)?;
    let headers = with_token(from.headers, &asked);
    let from = Sender {
        headers: &headers,
        ..from
    };
    let statement = with_branch(statement(state, query, &asked, from, attempt).await?)?;
    let accepted = receive_files(state, &statement, from, sent, attempt, payload::whole()).await?;
    let url = accepted.first().map(|accepted| {
        let id = accepted.published.record.id;
        (id.to_string(), state.review.places.record(id))
    });
    let (id, url) = url.unwrap_or_default();
    Ok(answer::uploaded(&id, &url))
}

/// The headers with the token of `X-Upload-Token` or of the query in place of `Authorization`.
fn with_token(headers: &HeaderMap, asked: &Parameters) -> HeaderMap {
    let mut headers = headers.clone();
    let own = headers.get(&TOKEN).and_then(|token| token.to_str().ok());
    let own = own.filter(|token| !token.is_empty());
    let token = own.or_else(|| asked.text("token"));
    if let Some(token) = token.and_then(|token| HeaderValue::from_str(token).ok()) {
        headers.insert(header::AUTHORIZATION, token);
    }
    headers
}

async fn statement(
    state: &AppState,
    query: Option<&str>,
    asked: &Parameters,
    from: Sender<'_>,
    attempt: &mut Attempt,
) -> Result<Statement, ApiError> {
    let text = |name: &str| asked.text(name).map(str::to_owned);
    let service = text("service").unwrap_or_default();
    let of = match asked.text("slug") {
        Some(slug) => Of::read_plain(&service, slug)
            .or_else(|| Of::read(&service, slug))
            .ok_or_else(|| ApiError::parameter("slug", "must be like acme/payments".to_owned()))?,
        None => of_token(state, from, attempt).await?,
    };
    let flags: Vec<_> = form_urlencoded::parse(query.unwrap_or_default().as_bytes())
        .filter(|(name, _)| name == "flags")
        .flat_map(|(_, flags)| flags.split(',').map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let numbered = || Job::numbered(&service, asked.text("build")?);
    let package = asked.text("package").and_then(client::of_product);
    Ok(Statement {
        client: package.or_else(|| client::of_user_agent(from.headers)),
        branch: queue_of(from.headers)
            .or_else(|| text("branch"))
            .unwrap_or_default(),
        commit: text("commit").unwrap_or_default(),
        part: part_of(flags.iter().map(String::as_str)),
        pull_request: text("pr").or_else(|| text("pull_request")),
        job: asked.text("build_url").and_then(Job::at).or_else(numbered),
        run_url: text("build_url"),
        ..about(state, &of)
    })
}

/// The repository of a token for one repository, if the client names none.
async fn of_token(
    state: &AppState,
    from: Sender<'_>,
    attempt: &mut Attempt,
) -> Result<Of, ApiError> {
    let token = access::token_text(from.headers)?;
    match state.uploaders.tokens.only_repository(token).await? {
        Some(repository) => Ok(Of {
            service: String::new(),
            org: repository.org.to_string(),
            repo: repository.repo.to_string(),
        }),
        None => {
            let missing = ApiError::parameter(
                "slug",
                "is missing, so the repository is not known; run the client with `--slug acme/payments`, or use a token for this repository alone".to_owned(),
            );
            Err(nameless(state, from, attempt, missing).await)
        }
    }
}
