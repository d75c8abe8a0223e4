//! `GET /reports/{id}/…`: the HTML that was uploaded with a record.

mod body;
mod front;

use super::matches_etag;
use crate::{
    error::ApiError,
    reports::{Entry, ReportObject, Reports, ReportsError, media_type},
    state::AppState,
    store::{Store, StoredReport},
};
use axum::{
    extract::{Path, State, rejection::PathRejection},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Redirect, Response},
};
use body::Wanted;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use std::{fmt::Write, sync::Arc};
use tokio::task;

/// What a path segment may not hold as it is (RFC 3986, section 3.3).
const NOT_IN_PATHS: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b']')
    .add(b'`')
    .add(b'{')
    .add(b'}')
    .add(b'\\')
    .add(b'^')
    .add(b'|');

/// A report's address without its last `/`, under which relative links would lead astray.
pub(super) async fn without_slash(
    id: Result<Path<String>, PathRejection>,
) -> Result<Redirect, ApiError> {
    let Path(id) = id.map_err(unreadable_path)?;
    Ok(Redirect::permanent(&format!("/reports/{}/", encoded(&id))))
}

pub(super) async fn start(
    State(state): State<AppState>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    let Path(id) = id.map_err(unreadable_path)?;
    match find(&state.store, &id).await?.start_page {
        Some(page) => {
            Ok(Redirect::temporary(&format!("/reports/{id}/{}", encoded(&page))).into_response())
        }
        None => Ok(listing(&open(&state, &id).await?.1).into_response()),
    }
}

pub(super) async fn file(
    State(state): State<AppState>,
    path: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Path((id, path)) = path.map_err(unreadable_path)?;
    let (stored, object) = open(&state, &id).await?;
    let entry = object.entry(&path).ok_or_else(|| {
        ApiError::not_found(format!("The report of record {id} holds no {path:?}."))
    })?;
    send(object, entry, &stored.key, &path, &headers).await
}

fn unreadable_path(_: PathRejection) -> ApiError {
    ApiError::not_found("No report has a file of this name: its address is not UTF-8.")
}

async fn find(store: &Store, id: &str) -> Result<StoredReport, ApiError> {
    let missing = || ApiError::not_found(format!("There is no report of a record {id}."));
    let id = id.parse().map_err(|_| missing())?;
    store.report(id).await?.ok_or_else(missing)
}

/// The stored report of a record, opened. A retry may replace and remove it in between: then there is another.
async fn open(state: &AppState, id: &str) -> Result<(StoredReport, Arc<ReportObject>), ApiError> {
    let stored = find(&state.store, id).await?;
    match get(&state.reports, stored.key.clone()).await? {
        Err(ReportsError::Missing) => {
            let replaced_by = find(&state.store, id).await?;
            let object = get(&state.reports, replaced_by.key.clone()).await??;
            Ok((replaced_by, object))
        }
        object => Ok((stored, object?)),
    }
}

async fn get(
    reports: &Reports,
    key: String,
) -> Result<Result<Arc<ReportObject>, ReportsError>, ApiError> {
    let reports = reports.clone();
    task::spawn_blocking(move || reports.get(&key))
        .await
        .map_err(|error| ApiError::unavailable(&error))
}

async fn send(
    object: Arc<ReportObject>,
    entry: Entry,
    key: &str,
    path: &str,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let media_type = media_type(path);
    let wanted = Wanted {
        as_gzip: accepts_gzip(headers),
        as_page: media_type == "text/html" && is_navigation(headers),
    };
    // A retry replaces a record's report under the same address: caches have to ask.
    let form = (
        if wanted.as_page { "p" } else { "f" },
        if wanted.as_gzip { "z" } else { "" },
    );
    let etag = format!("\"{key}-{:08x}-{}{}\"", entry.crc32, form.0, form.1);
    let caching = [
        (header::ETAG, etag.clone()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::VARY, "accept, accept-encoding".to_owned()),
    ];
    if matches_etag(headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let body = body::open(object, entry, wanted).await?;
    let content_type = match body.charset {
        Some(charset) => format!("{media_type}; charset={charset}"),
        None => media_type,
    };
    let about = [
        (header::CONTENT_TYPE, content_type),
        (header::CONTENT_LENGTH, body.length.to_string()),
    ];
    let mut response = (caching, about, body.content).into_response();
    if body.is_gzip {
        response
            .headers_mut()
            .insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok(response)
}

/// Whether a browser is about to show what it asks for; everybody else gets a file byte by byte as it was uploaded.
fn is_navigation(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|accepted| accepted.contains("text/html"))
}

/// What is said of gzip itself counts more than what is said of all codings (RFC 9110, section 12.5.3).
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let weight_of = |wanted: &str| {
        accepted.split(',').find_map(|coding| {
            let (name, parameters) = coding.split_once(';').unwrap_or((coding, "q=1"));
            let weight = parameters.trim().strip_prefix("q=")?.parse::<f32>().ok()?;
            (name.trim() == wanted).then_some(weight)
        })
    };
    weight_of("gzip")
        .or_else(|| weight_of("*"))
        .is_some_and(|weight| weight > 0.0)
}

/// A plain page of links, for a report that has several pages and no index.
fn listing(object: &ReportObject) -> Html<String> {
    let mut page = "<!doctype html><meta charset=\"utf-8\"><title>Report</title><h1>Files of this report</h1><ul>".to_owned();
    for path in object.paths() {
        let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
        // Writing to a string cannot fail.
        let _ = write!(
            page,
            "<li><a href=\"./{}\">{}</a>",
            escaped(&encoded(path)),
            escaped(path)
        );
    }
    page.push_str("</ul>");
    Html(page)
}

fn encoded(path: &str) -> String {
    utf8_percent_encode(path, NOT_IN_PATHS).to_string()
}
