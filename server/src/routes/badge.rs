//! `GET /coverages-api/badge` and `/coverages-api/badge.json`: always an answer that can be shown, and one that never
//! sticks.

use super::{etag::revalidated, parameters::Parameters};
use crate::{
    badge::{Badge, Palette},
    error::{ApiError, chain},
    state::AppState,
};
use app::domain::{Percentage, Repository};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};

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
    let mut response = revalidated(headers, media_type, body.into_bytes());
    // An SVG is a document too, where it is opened by itself.
    let policy = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'");
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    response
}
