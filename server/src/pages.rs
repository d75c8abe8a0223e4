//! The dashboard's pages, rendered by leptos here and hydrated in the browser.

pub(crate) mod badge;
mod former;
mod overviews;
pub(crate) mod preview;
mod read_model;
pub(crate) mod theme_cookie;

use overviews::Overviews;
use read_model::{Refused, StoreModel};

use crate::{
    http::{error::ApiError, security, surround::surround},
    state::{AppState, ReadFrom},
};
use access::{Admin, Reader, read_scope_of};
use app::{
    App, AppError, AuditAccess, BrowserSession, SharedReadModel, SharedStorageModel, SomeOrgsOnly,
    VisibleSettings,
    links::{self, ReportLinks},
    shell, without_markers,
};
use axum::{
    Router,
    body::{Body, to_bytes},
    extract::Request,
    http::{HeaderValue, Method, StatusCode, header, request::Parts},
    middleware::map_response,
    response::{IntoResponse, Redirect, Response},
    routing::{Route, get},
};
use config::Origin;
use domain::Scope;
use leptos::{nonce::use_nonce, prelude::*};
use leptos_axum::{LeptosRoutes, ResponseOptions, generate_route_list};
use percent_encoding::percent_decode_str;
use std::sync::Arc;
use store::ReadScope;
use tower_http::{CompressionLevel, compression::CompressionLayer, services::ServeDir};

/// Marks a request that must not read the store now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Busy;

/// Files under `/pkg` have a hash of their content in their names.
pub(crate) const FOREVER: HeaderValue =
    HeaderValue::from_static("public, max-age=31536000, immutable");
/// The level of Brotli and gzip. A page of 81 kB has 8.3 kB with this one and 10.4 kB with level 2; the next level takes much
/// longer and saves little.
const COMPRESSION: i32 = 5;

const AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// Pages, the server functions behind them, and the files of the built site.
pub(crate) fn router(state: &AppState) -> Router<AppState> {
    let provide = {
        let state = state.clone();
        let storage: SharedStorageModel = Arc::new(state.storage.clone());
        let overviews = Arc::new(Overviews::new(&state.store));
        let is_protected = state.readers.is_some();
        let links = ReportLinks::new(state.reports_origin.as_ref().map(ToString::to_string));
        move || {
            let request = use_context::<Parts>();
            let request = request.unwrap_or_else(|| Request::new(()).into_parts().0);
            let scope = read_scope_of(&request.extensions, is_protected);
            let is_busy = request.extensions.get::<Busy>().is_some();
            provide_context(storage_for_request(&storage, &scope, is_busy));
            provide_context(SomeOrgsOnly(!scope.is_all()));
            let model: SharedReadModel = Arc::new(StoreModel {
                reader: (!is_busy)
                    .then(|| ReadFrom::reader(&request.extensions, &state.store, scope)),
                store: state.store.clone(),
                overviews: overviews.clone(),
            });
            provide_context(model);
            provide_context(links.clone());
            provide_context(state.site.assets.clone());
            provide_context(state.public_url.clone());
            provide_context(session(&request));
            // The part of the audit log that the request may read.
            let admin = request.extensions.get::<Admin>();
            let access = AuditAccess(admin.map(|admin| admin.scopes.clone()));
            // The settings are about more than an org or a repository.
            let is_for_all = |scopes: &Arc<[Scope]>| scopes.contains(&Scope::All);
            let settings = access
                .0
                .as_ref()
                .is_some_and(is_for_all)
                .then(|| state.settings.clone());
            provide_context(VisibleSettings(settings));
            provide_context(access);
            provide_context(theme_cookie::of(&request.headers));
            provide_context(state.target);
            provide_context(state.facts.clone());
            set_page_headers(state.reports_origin.as_deref());
        }
    };
    let not_found = get(leptos_axum::render_app_async_with_context(
        provide.clone(),
        shell,
    ))
    .layer(map_response(without_leptos_markers));
    let folder = |path: &str| {
        ServeDir::new(state.site.root.join(path)).append_index_html_on_directories(false)
    };
    let pkg: Router<AppState> = Router::new()
        .nest_service(
            "/pkg",
            folder("pkg").precompressed_br().precompressed_gzip(),
        )
        .layer(map_response(|mut response: Response| async {
            // Nobody asks again for a file that never changes, or for a part of it.
            for unused in [header::LAST_MODIFIED, header::ETAG, header::ACCEPT_RANGES] {
                response.headers_mut().remove(unused);
            }
            cached(response, FOREVER)
        }));
    let files: Router = Router::new()
        .fallback_service(folder("").fallback(not_found))
        .layer(map_response(async |response| cached(response, AN_HOUR)));
    let pages: Router<AppState> = Router::new()
        .leptos_routes_with_context(state, generate_route_list(App), provide, shell)
        .layer(map_response(without_leptos_markers));
    // Temporary, since these may become pages.
    let redirect = |to| get(async move || Redirect::temporary(to));
    surround(pages, (), former::redirected)
        // Browsers request it on uploaded HTML reports.
        .route(
            "/favicon.ico",
            get(|| async { Redirect::permanent("/favicon.svg") }),
        )
        .route("/orgs/", redirect(links::ORGS))
        .route("/repos", redirect(links::HOME))
        .route("/repos/", redirect(links::HOME))
        .merge(surround(pkg, (), only_readable))
        .fallback_service(surround(files, (), only_readable))
        .layer(compressed())
}

/// Removes leptos's markers from a page, whose islands have markers of their own. Other answers stay as they are.
async fn without_leptos_markers(response: Response) -> Response {
    let media_type = response.headers().get(header::CONTENT_TYPE);
    if media_type.is_none_or(|media_type| !media_type.as_bytes().starts_with(b"text/html")) {
        return response;
    }
    let (head, body) = response.into_parts();
    // Every page is complete before its first byte is sent.
    match to_bytes(body, usize::MAX).await {
        Ok(page) => match std::str::from_utf8(&page) {
            Ok(html) => Response::from_parts(head, Body::from(without_markers(html))),
            Err(_) => Response::from_parts(head, Body::from(page)),
        },
        Err(error) => ApiError::unavailable(&error).into_response(),
    }
}

/// Answers 404 to requests that cannot be for a file or page of the site: another method, or a path that no file system allows.
async fn only_readable((): (), request: Request, route: Route) -> Response {
    let is_read = [Method::GET, Method::HEAD].contains(request.method());
    if is_read && may_be_file(request.uri().path()) {
        // A page's address with a `/` at its end has no route of its own.
        return former::redirected((), request, route).await;
    }
    ApiError::not_found("There is no such address; check the path and the method.").into_response()
}

/// Whether a path can be the path of a file: short enough, also each segment, and without NUL.
fn may_be_file(path: &str) -> bool {
    const SEGMENT: usize = 255;
    const PATH: usize = 2_048;
    let decoded: Vec<u8> = percent_decode_str(path).collect();
    decoded.len() <= PATH
        && !decoded.contains(&0)
        && decoded
            .split(|&byte| byte == b'/')
            .all(|segment| segment.len() <= SEGMENT)
}

/// Compresses pages as they are sent. Files that the build has compressed stay as they are.
pub(crate) fn compressed() -> CompressionLayer {
    CompressionLayer::new()
        .br(true)
        .gzip(true)
        .quality(CompressionLevel::Precise(COMPRESSION))
}

/// The storage model of a page. The page is about the whole service, so readers of only some orgs may not see it.
fn storage_for_request(
    storage: &SharedStorageModel,
    scope: &ReadScope,
    is_busy: bool,
) -> SharedStorageModel {
    if !scope.is_all() {
        Arc::new(Refused(AppError::WholeService))
    } else if is_busy {
        Arc::new(Refused(AppError::Busy))
    } else {
        storage.clone()
    }
}

fn session(request: &Parts) -> BrowserSession {
    let (reader, admin) = (
        request.extensions.get::<Reader>(),
        request.extensions.get::<Admin>(),
    );
    BrowserSession {
        exists: reader.is_some_and(|reader| reader.has_session)
            || admin.is_some_and(|admin| admin.has_session),
        person: reader.and_then(|reader| reader.person.clone()),
    }
}

/// Adds the headers of a file. The page for a missing file keeps its own `Cache-Control`, since the file may appear
/// later.
fn cached(mut response: Response, cache: HeaderValue) -> Response {
    if response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED {
        response.headers_mut().insert(header::CACHE_CONTROL, cache);
    }
    response
}

/// Adds the headers of a rendered page. A server function has no nonce, and its JSON needs none of these headers.
fn set_page_headers(reports: Option<&Origin>) {
    let (Some(nonce), Some(response)) = (use_nonce(), use_context::<ResponseOptions>()) else {
        return;
    };
    if let Ok(policy) = HeaderValue::from_str(&security::page_policy(&nonce.to_string(), reports)) {
        response.insert_header(header::CONTENT_SECURITY_POLICY, policy);
    }
    if reports.is_some() {
        // A report that opens a page could otherwise access the frame in it, which has the report's origin.
        response.insert_header(security::OPENER_POLICY, security::ONLY_SAME_ORIGIN);
    }
    response.insert_header(
        header::REFERRER_POLICY,
        HeaderValue::from_static("same-origin"),
    );
    response.insert_header(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
}
