//! `GET /reports/{id}/…`: the HTML that was uploaded with a record.

use super::{file_body, matches_etag};
use crate::{
    error::ApiError,
    reports::{Entry, ReportObject, Reports, media_type},
    state::AppState,
    store::Store,
};
use axum::{
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header},
    response::{Html, IntoResponse, Redirect, Response},
};
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

pub(super) async fn start(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let stored = find(&state.store, &id).await?;
    match stored.start_page {
        Some(page) => {
            Ok(Redirect::temporary(&format!("/reports/{id}/{}", encoded(&page))).into_response())
        }
        None => Ok(listing(&*open(&state.reports, stored.key).await?).into_response()),
    }
}

pub(super) async fn file(
    State(state): State<AppState>,
    Path((id, path)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let key = find(&state.store, &id).await?.key;
    let object = open(&state.reports, key.clone()).await?;
    let entry = object.entry(&path).ok_or_else(|| {
        ApiError::not_found(format!("The report of record {id} holds no {path:?}."))
    })?;
    send(object, entry, &key, &path, &headers).await
}

async fn find(store: &Store, id: &str) -> Result<crate::store::ReportObject, ApiError> {
    let missing = || ApiError::not_found(format!("There is no report of a record {id}."));
    let id = id.parse().map_err(|_| missing())?;
    store.report(id).await?.ok_or_else(missing)
}

async fn open(reports: &Reports, key: String) -> Result<Arc<ReportObject>, ApiError> {
    let reports = reports.clone();
    let opened = task::spawn_blocking(move || reports.get(&key))
        .await
        .map_err(|error| ApiError::unavailable(&error))?;
    Ok(opened?)
}

async fn send(
    object: Arc<ReportObject>,
    entry: Entry,
    key: &str,
    path: &str,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let as_gzip = entry.deflated && accepts_gzip(headers);
    // A retry replaces a record's report under the same address: caches have to ask.
    let etag = format!(
        "\"{key}-{:08x}{}\"",
        entry.crc32,
        if as_gzip { "-gzip" } else { "" }
    );
    let caching = [
        (header::ETAG, etag.clone()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::VARY, "accept-encoding".to_owned()),
    ];
    if matches_etag(headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let body = file_body::open(object, entry, as_gzip).await?;
    let mut response = (
        caching,
        [(header::CONTENT_TYPE, media_type(path))],
        body.content,
    )
        .into_response();
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, body.length.into());
    if as_gzip {
        response.headers_mut().insert(
            header::CONTENT_ENCODING,
            header::HeaderValue::from_static("gzip"),
        );
    }
    Ok(response)
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    accepted.split(',').any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        matches!(name.trim(), "gzip" | "*")
            && !matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
    })
}

/// A plain page of links, for a report that has several pages and no index.
fn listing(object: &ReportObject) -> Html<String> {
    let mut page = "<!doctype html><meta charset=\"utf-8\"><title>Report</title><h1>Files of this report</h1><ul>".to_owned();
    for path in object.paths() {
        let text = path.replace('&', "&amp;").replace('<', "&lt;");
        // Writing to a string cannot fail.
        let _ = write!(page, "<li><a href=\"./{}\">{text}</a>", encoded(path));
    }
    page.push_str("</ul>");
    Html(page)
}

fn encoded(path: &str) -> String {
    utf8_percent_encode(path, NOT_IN_PATHS).to_string()
}
