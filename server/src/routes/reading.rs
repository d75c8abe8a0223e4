//! Default-deny authentication of readers around all routes of the dashboard, if reading is protected.

mod admin;
mod login;
mod private;

pub(super) use admin::with_admins;
pub(super) use login::{complete, log_in, log_out, login_page, start};

use super::{base, download, health, llms, openapi, peer::peer, reports, uploader};
use crate::{http::error::ApiError, pages::theme_cookie, state::AppState};
use access::{Reader, Readers};
use app::LoginFor;
use axum::{
    Router,
    extract::{Request, State},
    http::{Method, StatusCode, header},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
};
use std::sync::Arc;

/// Public files of the site that the login page or a browser requests. They contain no data.
const OPEN_FILES: [&str; 3] = ["/favicon.ico", "/favicon.svg", "/robots.txt"];

/// Images for READMEs.
const BADGES: [&str; 3] = [
    "/coverages-api/badge",
    "/coverages-api/badge.json",
    "/coverages-api/trend.svg",
];

/// Routes that need an admin token.
const RECORDS: &str = "/coverages-api/records/";

struct Guard {
    readers: Readers,
    state: AppState,
}

/// Restricts the routes to readers, if reading is protected.
pub(super) fn protected(routes: Router<AppState>, state: &AppState) -> Router<AppState> {
    match state.readers.clone() {
        None => routes,
        Some(readers) => {
            let state = state.clone();
            routes.layer(from_fn_with_state(
                Arc::new(Guard { readers, state }),
                guard,
            ))
        }
    }
}

async fn guard(State(guard): State<Arc<Guard>>, mut request: Request, next: Next) -> Response {
    if guard.is_open(&request) {
        if BADGES.contains(&request.uri().path()) {
            request.extensions_mut().insert(Reader::of_open_badge());
        }
        return next.run(request).await;
    }
    let (headers, peer) = (request.headers(), peer(&request));
    let admitted = guard.readers.admit(headers, peer).await;
    match admitted.map_err(ApiError::from) {
        Ok(reader) => {
            request.extensions_mut().insert(reader);
            private::private(next.run(request).await)
        }
        Err(refusal) => {
            let is_refused = [
                StatusCode::UNAUTHORIZED,
                StatusCode::FORBIDDEN,
                StatusCode::TOO_MANY_REQUESTS,
            ]
            .contains(&refusal.status());
            let is_over = is_refused && guard.readers.session.is_shown(headers);
            let mut response = match login::next_after(&request) {
                Some(next) => {
                    let theme = theme_cookie::of(headers);
                    login::page(&guard.state, theme, LoginFor::Readers, &next, Some(refusal))
                }
                None => refusal.into_response(),
            };
            private::never_kept(&mut response);
            if is_over && let Some(cookie) = guard.readers.session.end() {
                response.headers_mut().append(header::SET_COOKIE, cookie);
            }
            response
        }
    }
}

impl Guard {
    /// Whether a request needs no reader. Every path that is not listed here needs one, including new and unknown ones.
    fn is_open(&self, request: &Request) -> bool {
        let (method, path) = (request.method(), request.uri().path());
        let is_read = [Method::GET, Method::HEAD].contains(method);
        match path {
            // These routes check an upload token or an admin token themselves.
            path if path.starts_with(RECORDS) => method == Method::DELETE,
            "/coverages-api" => [Method::POST, Method::PUT].contains(method),
            base::PATH => is_read,
            health::HEALTH | health::LIVE | health::READY => is_read,
            // They describe the API and contain no stored data.
            openapi::PATH | llms::PATH => is_read,
            path if uploader::is_open(method, path) => true,
            path if download::is_open(method, path) => true,
            "/login" => is_read || method == Method::POST,
            "/login/start" | "/login/callback" => method == Method::GET,
            "/logout" => method == Method::POST,
            path if BADGES.contains(&path) => is_read && self.readers.open_badges,
            path if OPEN_FILES.contains(&path) || path.starts_with("/pkg/") => is_read,
            path => {
                is_read
                    && self.state.reports_origin.is_none()
                    && reports::is_signed(&self.readers.links, path)
            }
        }
    }
}
