//! `GET /coverages-api/badge` and `/coverages-api/badge.json`: always a displayable answer, which caches must
//! revalidate.
//!
//! Only a badge of one record, `?record=7&v=1794232920000000`, is cached forever. Its version `v` is the time of the
//! record's last upload, so a retry of the same commit gives a new version. Any other `v`, or none, redirects to the
//! current version.

use super::{
    image::{SVG, image},
    openapi::{
        refusals::{NotForStrangers, Unexpected},
        revalidated::{IfNoneMatch, NotModified},
    },
    parameters::Parameters,
};
use crate::{
    http::error::ApiError,
    pages::badge::{Badge, Endpoint, Palette},
    state::AppState,
    text::chain,
};
use axum::{
    extract::{Request, State},
    http::{HeaderValue, header},
    response::{IntoResponse, Redirect, Response},
};
use domain::{Percentage, Repository};
use utoipa::IntoParams;

const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

/// The parameters of [`wanted`] and [`badge`]. None is validated: an invalid name is unknown, and an invalid style is
/// the default.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described")]
struct BadgeParameters {
    /// The organisation.
    #[param(example = "acme", required = false)]
    org_name: String,
    /// The repository.
    #[param(example = "payments", required = false)]
    repo_name: String,
    /// The branch; by default the main branch.
    #[param(example = "main", required = false)]
    branch_name: String,
    /// The language; by default the last updated one.
    #[param(example = "python", required = false)]
    language: String,
    /// The left half, of which 60 characters are shown; by default `coverage`.
    #[param(example = "coverage", required = false)]
    label: String,
    /// `cb` for colours that are distinguishable with red-green colour blindness.
    #[param(example = "cb", required = false)]
    palette: String,
    /// The `id` of a record. The badge is then of this record, and the other names are ignored.
    #[param(example = "17", required = false)]
    record: String,
}

/// The further parameters of [`svg`].
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described")]
struct DrawingParameters {
    /// `flat`, `flat-square`, `plastic` or `for-the-badge`; anything else counts as `flat`.
    #[param(example = "flat-square", required = false)]
    style: String,
    /// The version of `record`. The answer to the current version can be cached forever; any other version redirects
    /// there.
    #[param(example = "1775409359624890", required = false)]
    v: String,
}

/// A badge
///
/// Unknown coverage gives a grey *unknown*, never an error.
#[utoipa::path(
    get,
    path = "/coverages-api/badge",
    operation_id = "badge",
    tag = "images",
    params(BadgeParameters, DrawingParameters, IfNoneMatch),
    responses(
        (status = 200, description = "An image.", body = String, content_type = "image/svg+xml"),
        (
            status = 307,
            description = "Redirects to the badge of the current version of `record`.",
            headers(("Location" = String, description = "The address with the current `v`."))
        ),
        NotModified,
        NotForStrangers,
        Unexpected
    )
)]
pub(super) async fn svg(State(state): State<AppState>, request: Request) -> Response {
    let (query, headers) = (request.uri().query(), request.headers());
    let parameters = Parameters::of_picture(query);
    let Wanted { coverage, version } = wanted(&state, &parameters).await;
    if let Some(version) = &version
        && parameters.text("v") != Some(version)
    {
        return redirect(&with_version(query.unwrap_or_default(), version));
    }
    let svg = badge(&state, &parameters, coverage).svg(parameters.text("style"));
    let mut answer = image(headers, SVG, svg);
    if version.is_some() {
        answer.headers_mut().insert(header::CACHE_CONTROL, FOREVER);
    }
    answer
}

/// A badge for shields.io to draw
///
/// The schema of <https://shields.io/badges/endpoint-badge>.
#[utoipa::path(
    get,
    path = "/coverages-api/badge.json",
    operation_id = "badgeJson",
    tag = "images",
    params(BadgeParameters, IfNoneMatch),
    responses(
        (status = 200, description = "The content of the badge.", body = Endpoint),
        NotModified,
        NotForStrangers,
        Unexpected
    )
)]
pub(super) async fn json(
    State(state): State<AppState>,
    request: Request,
) -> Result<Response, ApiError> {
    let (query, headers) = (request.uri().query(), request.headers());
    let parameters = Parameters::of_picture(query);
    let Wanted { coverage, .. } = wanted(&state, &parameters).await;
    let badge = badge(&state, &parameters, coverage);
    let json = serde_json::to_string(&badge.endpoint());
    let json = json.map_err(|error| ApiError::unavailable(&error))?;
    Ok(image(headers, "application/json", json))
}

fn badge(state: &AppState, parameters: &Parameters, coverage: Option<Percentage>) -> Badge {
    let palette = match parameters.text("palette") {
        Some("cb") => Palette::ColorBlind,
        _ => Palette::Shields,
    };
    Badge::new(
        parameters.text("label"),
        coverage,
        state.badge_scale,
        palette,
    )
}

/// The coverage of a badge; `None` if it is unknown or a parameter is invalid, since an image cannot show an error.
#[derive(Default)]
struct Wanted {
    coverage: Option<Percentage>,
    /// The version of an existing record. The badge of a version never changes.
    version: Option<String>,
}

async fn wanted(state: &AppState, parameters: &Parameters) -> Wanted {
    let Some(record) = parameters.text("record") else {
        return Wanted {
            coverage: coverage(state, parameters).await,
            version: None,
        };
    };
    let Ok(record) = record.parse() else {
        return Wanted::default();
    };
    match state.store.badge_of_record(record).await {
        Ok(Some((percentage, updated_at))) => Wanted {
            coverage: Some(percentage),
            version: Some(updated_at.0.to_string()),
        },
        Ok(None) => Wanted::default(),
        Err(error) => {
            tracing::error!(
                cause = chain(&error),
                "a badge is shown without its percentage"
            );
            Wanted::default()
        }
    }
}

/// Returns the address of the same badge in another version.
fn with_version(query: &str, version: &str) -> String {
    let others = query.split('&').filter(|pair| {
        let name = pair.split_once('=').map_or(*pair, |(name, _)| name);
        !name.is_empty() && name != "v"
    });
    let version = format!("v={version}");
    let pairs: Vec<_> = others.chain([version.as_str()]).collect();
    format!("/coverages-api/badge?{}", pairs.join("&"))
}

fn redirect(address: &str) -> Response {
    let mut response = Redirect::temporary(address).into_response();
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, ASK_AGAIN);
    response
}

/// Returns the coverage of the current record of a branch.
async fn coverage(state: &AppState, parameters: &Parameters) -> Option<Percentage> {
    let (org, repo) = (parameters.text("org_name")?, parameters.text("repo_name")?);
    // The published Action of the replaced system sends `org/repo` here.
    let own = repo
        .split_at_checked(org.len())
        .filter(|(before, _)| before.eq_ignore_ascii_case(org));
    let repo = own
        .and_then(|(_, rest)| rest.strip_prefix('/'))
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
        tracing::error!(
            cause = chain(&error),
            "a badge is shown without its percentage"
        );
        None
    })
}
