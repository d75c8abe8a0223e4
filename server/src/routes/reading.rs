//! Default-deny authentication of readers for all routes of the dashboard, if reading is protected; and of admins for their pages,
//! also if it is not.

mod login;

pub(super) use login::{complete, log_in, log_out, login_page, start};

use super::{base, download, foreign, health, llms, openapi, peer::peer, reports, uploader};
use crate::{
    http::{error::ApiError, surround::run},
    state::AppState,
};
use access::{Reader, Readers};
use app::{LoginFor, links};
use axum::{
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::Response,
    routing::Route,
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

/// Refuses requests without a reader, if reading is protected.
pub(super) struct Guard {
    readers: Readers,
    state: AppState,
}

impl Guard {
    /// The guard of the dashboard; `None` if reading is not protected.
    pub(super) fn of(state: &AppState) -> Option<Arc<Self>> {
        let readers = state.readers.clone()?;
        let state = state.clone();
        Some(Arc::new(Self { readers, state }))
    }

    /// Adds the reader to a request. Returns whether the answer is for this reader only. The error is the answer to a request
    /// without a reader.
    pub(super) async fn admit(&self, request: &mut Request) -> Result<bool, Box<Response>> {
        if self.is_open(request) {
            if self.is_badge(request.uri().path()) {
                request.extensions_mut().insert(Reader::of_open_badge());
            }
            return Ok(false);
        }
        let admitted = self.readers.admit(request.headers(), peer(request)).await;
        match admitted.map_err(ApiError::from) {
            Ok(reader) => {
                request.extensions_mut().insert(reader);
                Ok(true)
            }
            Err(refusal) => Err(Box::new(self.refused(request, refusal))),
        }
    }

    fn refused(&self, request: &Request, refusal: ApiError) -> Response {
        let headers = request.headers();
        let is_refused = [
            StatusCode::UNAUTHORIZED,
            StatusCode::FORBIDDEN,
            StatusCode::TOO_MANY_REQUESTS,
        ]
        .contains(&refusal.status());
        let is_over = is_refused && self.readers.session.is_shown(headers);
        let mut response = login::refused(&self.state, request, LoginFor::Readers, refusal);
        if is_over && let Some(cookie) = self.readers.session.end() {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        response
    }

    fn is_badge(&self, path: &str) -> bool {
        BADGES.contains(&path) || foreign::is_badge(&self.state, path)
    }

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
            path if self.is_badge(path) => is_read && self.readers.open_badges,
            path if foreign::is_open(&self.state, method, path) => true,
            path if OPEN_FILES.contains(&path) || path.starts_with("/pkg/") => is_read,
            path => {
                is_read
                    && self.state.reports_origin.is_none()
                    && reports::is_signed(&self.readers.links, path)
            }
        }
    }
}

/// Adds the admin to requests. Without an admin, the pages of admins show nothing, in any spelling of their address; other pages
/// show no actions of admins.
pub(super) async fn admit_admin(state: AppState, mut request: Request, route: Route) -> Response {
    let path = request.uri().path().trim_end_matches('/');
    let (headers, peer) = (request.headers(), peer(&request));
    let reader = request.extensions().get::<Reader>();
    let known = reader.and_then(|reader| reader.admin.clone());
    if !links::ADMIN_PAGES.contains(&path) {
        let admin = match known {
            // Where reading is open, no guard has looked at the session.
            None if reader.is_none() && !path.starts_with("/pkg/") => {
                state.admins.of_session(headers, peer).await
            }
            known => known,
        };
        if let Some(admin) = admin {
            request.extensions_mut().insert(admin);
        }
        return run(route, request).await;
    }
    let admitted = match known {
        Some(admin) => Ok(admin),
        None => state.admins.admit_reader(headers, peer).await,
    };
    match admitted.map_err(ApiError::from) {
        Ok(admin) => {
            request.extensions_mut().insert(admin);
            private(run(route, request).await)
        }
        Err(refusal) => login::refused(&state, &request, LoginFor::Admins, refusal),
    }
}

/// The request headers with credentials.
const CREDENTIALS: HeaderValue = HeaderValue::from_static("authorization, cookie");

const ASK_AGAIN: HeaderValue = HeaderValue::from_static("private, no-cache");
const NEVER: HeaderValue = HeaderValue::from_static("no-store");

/// Allows only the requesting browser to cache the answer: a cache must not give the answer of one reader to another.
pub(super) fn private(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let cache = cache_control(headers);
    if cache != NEVER {
        headers.append(header::VARY, CREDENTIALS);
    }
    headers.insert(header::CACHE_CONTROL, cache);
    response
}

/// Returns the answer's own directives without directives for shared caches.
fn cache_control(headers: &HeaderMap) -> HeaderValue {
    let directives: Vec<String> = headers
        .get_all(header::CACHE_CONTROL)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|directive| directive.trim().to_ascii_lowercase())
        .collect();
    if directives.iter().any(|directive| directive == "no-store") {
        return NEVER;
    }
    let kept = directives.iter().map(String::as_str).filter(|directive| {
        !["", "public", "private"].contains(directive) && !directive.starts_with("s-maxage")
    });
    let kept: Vec<_> = ["private"].into_iter().chain(kept).collect();
    match kept.len() {
        1 => ASK_AGAIN,
        _ => HeaderValue::try_from(kept.join(", ")).unwrap_or(NEVER),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[&'static str]) -> String {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::CACHE_CONTROL, HeaderValue::from_static(value));
        }
        let cache = cache_control(&headers);
        cache.to_str().expect("a text").to_owned()
    }

    #[test]
    fn no_shared_cache_may_store_what_a_reader_got() {
        for (said, cache) in [
            (&[][..], "private, no-cache"),
            (&["no-cache"], "private, no-cache"),
            (&["private, no-cache"], "private, no-cache"),
            (
                &["Public, max-age=3600, s-maxage=9"],
                "private, max-age=3600",
            ),
            (&["public", "immutable"], "private, immutable"),
            (&["public"], "private, no-cache"),
            (&["no-store"], "no-store"),
            (&["public, no-store"], "no-store"),
        ] {
            assert_eq!(of(said), cache, "{said:?}");
        }
    }
}
