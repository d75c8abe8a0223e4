//! `GET /coverages-api/badge` and `/coverages-api/badge.json`: always an answer that can be shown.

use super::parameters::Parameters;
use crate::{
    badge::{Badge, Palette},
    error::{ApiError, chain},
    hexadecimal::hexadecimal,
    state::AppState,
};
use app::domain::{Percentage, Repository};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};

/// Caches ask each time, and are told in a few bytes that nothing changed: a badge that sticks is worse than none.
const ASK_AGAIN: &str = "no-cache";

pub(super) async fn svg(
    State(state): State<AppState>,
    request: Request,
) -> Result<Response, ApiError> {
    let (query, headers) = (request.uri().query(), request.headers());
    let parameters = Parameters::of(query)?;
    let svg = badge(&state, &parameters)
        .await
        .svg(parameters.text("style"));
    Ok(answer(headers, "image/svg+xml; charset=utf-8", svg))
}

pub(super) async fn json(
    State(state): State<AppState>,
    request: Request,
) -> Result<Response, ApiError> {
    let (query, headers) = (request.uri().query(), request.headers());
    let badge = badge(&state, &Parameters::of(query)?).await;
    let json = serde_json::to_string(&badge.endpoint());
    let json = json.map_err(|error| ApiError::unavailable(&error))?;
    Ok(answer(headers, "application/json", json))
}

async fn badge(state: &AppState, parameters: &Parameters) -> Badge {
    let palette = match parameters.text("palette") {
        Some("cb") => Palette::ColorBlind,
        _ => Palette::Shields,
    };
    let coverage = coverage(state, parameters).await;
    Badge::new(
        parameters.text("label"),
        coverage,
        state.badge_thresholds,
        palette,
    )
}

/// None where anything about it is unknown, or wrong: an image in a page cannot say more.
async fn coverage(state: &AppState, parameters: &Parameters) -> Option<Percentage> {
    let (org, repo) = (parameters.text("org_name")?, parameters.text("repo_name")?);
    // The published Action of the system that this one replaces sends both names here.
    let repo = repo
        .strip_prefix(org)
        .and_then(|rest| rest.strip_prefix('/'))
        .unwrap_or(repo);
    let repository = Repository {
        org: org.parse().ok()?,
        repo: repo.parse().ok()?,
    };
    let branch = parameters.text("branch_name").map(str::parse).transpose();
    let language = parameters.text("language").map(str::parse).transpose();
    let (branch, language) = (branch.ok()?, language.ok()?);
    let found = state
        .store
        .badge(&repository, branch.as_ref(), language.as_ref())
        .await;
    found.unwrap_or_else(|error| {
        tracing::error!(cause = chain(&error), "a badge is without its percentage");
        None
    })
}

fn answer(headers: &HeaderMap, media_type: &'static str, body: String) -> Response {
    let digest = Sha256::digest(&body);
    let etag = format!("\"{}\"", hexadecimal(&digest[..16]));
    let caching = [
        (header::ETAG, etag.clone()),
        (header::CACHE_CONTROL, ASK_AGAIN.to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    if super::matches_etag(headers, &etag) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    // An SVG is a document too, where it is opened by itself.
    let policy = "default-src 'none'; style-src 'unsafe-inline'";
    let of_body = [
        (header::CONTENT_TYPE, media_type),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    (caching, of_body, body).into_response()
}
