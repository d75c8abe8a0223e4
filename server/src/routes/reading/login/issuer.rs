//! `/login/start` and `/login/callback`: the login of a person at the operator's issuer.

use super::page;
use crate::{
    http::error::ApiError,
    routes::{form::local, parameters::Parameters, peer::peer},
    state::AppState,
};
use access::{Answer, PeopleLogin, Readers};
use app::LoginFor;
use axum::{
    extract::{RawQuery, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

/// `GET /login/start`: redirects to the issuer of LOGIN_ISSUER, which redirects the person to `/login/callback`.
pub(in crate::routes) async fn start(
    State(state): State<AppState>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (_, people) = issuer_of(&state)?;
    let parameters = Parameters::of(query.as_deref())?;
    let next = local(parameters.text("next").unwrap_or_default());
    Ok(
        match people.begin(next, &headers).await.map_err(ApiError::from) {
            Ok((address, cookies)) => redirect(&address, cookies),
            Err(refusal) => refused(&state, &headers, next, refusal),
        },
    )
}

/// `GET /login/callback`: the issuer redirects a person here, with a code or the reason why there is none. Starts a session.
pub(in crate::routes) async fn complete(
    State(state): State<AppState>,
    RawQuery(query): RawQuery,
    request: Request,
) -> Result<Response, ApiError> {
    let (readers, people) = issuer_of(&state)?;
    let parameters = Parameters::of(query.as_deref())?;
    let answer = Answer {
        code: parameters.text("code"),
        state: parameters.text("state"),
        issuer: parameters.text("iss"),
        error: parameters.text("error"),
    };
    let peer = peer(&request);
    let headers = request.into_parts().0.headers;
    let completed = readers.complete(people, answer, &headers, peer).await;
    let refusal = match completed.map_err(ApiError::from) {
        Ok((cookie, next)) => {
            let cookies = [Some(cookie), people.forget(answer)];
            return Ok(redirect(local(&next), cookies.into_iter().flatten()));
        }
        Err(refusal) => refusal,
    };
    // The person can load the same address again.
    let can_be_repeated = refusal.can_be_repeated();
    let next = people.next_of(answer, &headers).unwrap_or_default();
    let mut page = refused(&state, &headers, local(&next), refusal);
    if !can_be_repeated && let Some(cookie) = people.forget(answer) {
        page.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(page)
}

fn issuer_of(state: &AppState) -> Result<(&Readers, &PeopleLogin), ApiError> {
    let readers = state.readers.as_ref();
    let people = readers.and_then(|readers| Some((readers, readers.people.as_ref()?)));
    people.ok_or_else(|| {
        ApiError::not_found(
            "People cannot log in with an account here; use a read token at /login.",
        )
    })
}

fn refused(state: &AppState, headers: &HeaderMap, next: &str, refusal: ApiError) -> Response {
    let whose = LoginFor::Readers;
    page(state, headers, whose, next, Some(refusal), true)
}

fn redirect(to: &str, cookies: impl IntoIterator<Item = HeaderValue>) -> Response {
    let headers = [
        (header::LOCATION, to),
        (header::CACHE_CONTROL, "no-store"),
        // The address of the callback contains a code.
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    let mut response = (StatusCode::SEE_OTHER, headers).into_response();
    for cookie in cookies {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}
