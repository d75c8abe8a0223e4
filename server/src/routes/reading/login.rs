//! `/login` and `/logout`: start and end a browser's session.

mod issuer;

pub(in crate::routes) use issuer::{complete, start};

use crate::{
    http::error::{ApiError, Code},
    pages::theme_cookie,
    routes::{
        form::{form_of, local, must_be_ours},
        parameters::Parameters,
        peer::peer,
        plain_page,
    },
    state::AppState,
};
use app::{Issuer, LoginFor, LoginPage, links};
use axum::{
    extract::{RawQuery, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};

/// `GET /login`: the form, or a redirect for a reader who is logged in.
pub(in crate::routes) async fn login_page(
    State(state): State<AppState>,
    RawQuery(query): RawQuery,
    request: Request,
) -> Result<Response, ApiError> {
    let parameters = Parameters::of(query.as_deref())?;
    let next = local(parameters.text("next").unwrap_or_default());
    let headers = request.headers();
    let Some(readers) = &state.readers else {
        let leads_to = |page: &&str| next.starts_with(*page);
        let (whose, next) = match links::ADMIN_PAGES.iter().any(leads_to) {
            true => (LoginFor::Admins, next),
            false => (LoginFor::Nobody, links::SETTINGS),
        };
        return Ok(page(&state, headers, whose, next, None, false));
    };
    let admitted = readers.admit(headers, peer(&request)).await;
    let refusal = match admitted.map_err(ApiError::from) {
        Ok(_) => return Ok(Redirect::to(next).into_response()),
        Err(error) => Some(error).filter(|error| error.status() != StatusCode::UNAUTHORIZED),
    };
    let whose = LoginFor::Readers;
    Ok(page(&state, headers, whose, next, refusal, false))
}

/// `POST /login`: a valid token starts a session. If reading is not protected, only an admin token does.
pub(in crate::routes) async fn log_in(
    State(state): State<AppState>,
    request: Request,
) -> Result<Response, ApiError> {
    must_be_ours(request.headers(), &state.public_url.0)?;
    let peer = peer(&request);
    let (parts, body) = request.into_parts();
    let headers = &parts.headers;
    let form = form_of(&state, body).await?;
    let next = local(form.text("next").unwrap_or_default());
    let token = form.text("token").unwrap_or_default();
    let (whose, begun) = match &state.readers {
        Some(readers) => {
            let begun = readers.log_in(token, headers, peer);
            (LoginFor::Readers, begun.await)
        }
        None => {
            let begun = state.admins.log_in(token, headers, peer);
            (LoginFor::Admins, begun.await)
        }
    };
    Ok(match begun.map_err(ApiError::from) {
        Ok(cookie) => {
            let headers = [
                (header::SET_COOKIE, cookie),
                (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            ];
            (headers, Redirect::to(next)).into_response()
        }
        Err(error) => page(&state, headers, whose, next, Some(error), false),
    })
}

/// Makes the browser delete its data of a reader: the pages visited last (<https://www.w3.org/TR/clear-site-data/>).
const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");
const STORAGE: HeaderValue = HeaderValue::from_static("\"storage\"");

/// The error if the database fails during a logout.
const STILL_VALID: &str = "This browser is logged out, but copies of its cookie are valid until the session ends; ask the operator to run `coverage-dashboard session end`.";

/// `POST /logout`: ends the session in this browser, and makes the browser delete its data. A token stays valid. The session of a
/// person ends for every copy of the cookie; the session at the issuer goes on.
pub(in crate::routes) async fn log_out(
    State(state): State<AppState>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    must_be_ours(&headers, &state.public_url.0)?;
    let mut response = Redirect::to("/").into_response();
    let session = &state.admins.session;
    let has_session = state.readers.is_some() || session.is_shown(&headers);
    // The cookie is removed even if the database fails.
    if let Some(readers) = &state.readers
        && let Err(error) = readers.log_out(&headers).await
    {
        // The conversion logs the cause.
        drop(ApiError::from(error));
        response = ApiError::busy(STILL_VALID).not_repeated().into_response();
    }
    response.headers_mut().insert(CLEAR_SITE_DATA, STORAGE);
    if has_session && let Some(cookie) = session.end() {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Answers a request that is refused: with the login page for browsers. It is never kept, since the same address answers
/// differently after a login.
pub(super) fn refused(
    state: &AppState,
    request: &Request,
    whose: LoginFor,
    refusal: ApiError,
) -> Response {
    let mut response = match next_after(request) {
        Some(next) => page(state, request.headers(), whose, &next, Some(refusal), false),
        None => refusal.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Returns where a browser continues after its login; `None` for requests that do not want a page.
fn next_after(request: &Request) -> Option<String> {
    let accepts_pages = plain_page::is_wanted(request.headers());
    let is_read = [Method::GET, Method::HEAD].contains(request.method());
    let asked = request
        .uri()
        .path_and_query()
        .map_or("/", |path| path.as_str());
    (is_read && accepts_pages).then(|| local(asked).to_owned())
}

/// Returns the page, with the error of the last attempt, which was at the issuer if `is_of_issuer`. An error that is not about
/// logins is returned as it is.
fn page(
    state: &AppState,
    headers: &HeaderMap,
    whose: LoginFor,
    next: &str,
    refusal: Option<ApiError>,
    is_of_issuer: bool,
) -> Response {
    let is_not_a_reader = |refusal: &ApiError| refusal.code == Code::NotAReader;
    let is_of_issuer = is_of_issuer || refusal.as_ref().is_some_and(is_not_a_reader);
    let (response, sentence) = match refusal {
        None => (Response::default(), None),
        Some(refusal) => {
            // A missing token is not an error yet.
            let is_wrong = refusal.code != Code::MissingToken;
            let sentence = is_wrong.then(|| refusal.detail.clone());
            (refusal.into_response(), sentence)
        }
    };
    let is_about_login = [
        StatusCode::OK,
        StatusCode::UNAUTHORIZED,
        StatusCode::FORBIDDEN,
        StatusCode::TOO_MANY_REQUESTS,
        StatusCode::BAD_GATEWAY,
    ];
    let status = response.status();
    let is_fault = is_of_issuer && status.is_server_error();
    if !is_about_login.contains(&status) && !is_fault {
        return response;
    }
    let people = state.readers.as_ref().and_then(|of| of.people.as_ref());
    let page = LoginPage {
        theme: theme_cookie::of(headers),
        whose,
        next,
        refusal: sentence.as_deref(),
        issuer: people.map(|people| Issuer {
            host: people.host(),
            dashboard: &state.public_url.0,
        }),
        is_of_issuer,
    };
    let html = app::login_page(&state.site.assets, page);
    plain_page::with_page(state, response, html)
}
