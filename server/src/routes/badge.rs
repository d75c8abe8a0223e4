//! `GET /coverages-api/badge` and `/coverages-api/badge.json`: always a displayable answer, which caches must
//! revalidate.
//!
//! Only a badge of one record, `?record=7&v=1794232920000000-8414`, is cached forever. Its version `v` is the time of the
//! record's last upload and its percentage, so a retry of the same commit and a late part give a new version. Any other `v`, or
//! no `v`, redirects to the current version.

use super::readable::Readable;
use super::{
    etag::ASK_AGAIN,
    image::{NamedParameters, SVG, image},
    openapi::refusals::{IfNoneMatch, Read},
    parameters::{Described, Parameters, parameters},
};
use crate::{
    http::error::ApiError,
    pages::{
        FOREVER,
        badge::{Badge, Palette},
    },
};
use app::links;
use axum::{
    extract::Request,
    http::header,
    response::{IntoResponse, Redirect, Response},
};
use domain::{Metric, Percentage, text::chain};
use store::{Measure, StoreError};

parameters! {
    /// The parameters of both kinds of badge. No value is refused: the coverage of an invalid name is unknown.
    #[derive(Default)]
    struct BadgeParameters {
        /// The left half, of which 60 characters are shown; by default `coverage`, or what `metric` counts.
        label: Option<String> => "coverage",
        /// `cb` for colours that are distinguishable with red-green colour blindness.
        palette: Option<String> => "cb",
        /// The `id` of a record. The badge is then of this record, and the other names are ignored.
        record: Option<String> => "17",
        /// Only files of this view.
        view: Option<String> => "owner:@acme/payments",
        /// Only this part, with the percentage that its tool states.
        part: Option<String> => "unit",
        /// The number of decimals, 0, 1 or 2; by default 2.
        precision: Option<String> => "0",
        /// `lines`, `branches`, `functions`, or `new` for new lines; by default `lines`.
        metric: Option<String> => "branches",
        /// For `metric=new`: since when lines are new.
        since: Option<String> => "tag:v2.3",
    }
}

impl BadgeParameters {
    /// `None` for an unknown metric.
    fn metric(&self) -> Option<Metric> {
        let metric = self.metric.as_deref();
        metric.map_or(Some(Metric::default()), |metric| metric.parse().ok())
    }

    fn label(&self) -> &str {
        let of_metric = match self.metric().unwrap_or_default() {
            Metric::Lines => "coverage",
            Metric::Branches => "branch coverage",
            Metric::Functions => "function coverage",
            Metric::New => "new code",
        };
        self.label.as_deref().unwrap_or(of_metric)
    }
}

parameters! {
    /// The further parameters of [`svg`]. No value is refused: an invalid style counts as the default.
    #[derive(Default)]
    struct DrawingParameters {
        /// `flat`, `flat-square`, `plastic` or `for-the-badge`; anything else counts as `flat`.
        style: Option<String> => "flat-square",
        /// The version of `record`. The answer to the current version can be cached forever; any other version redirects
        /// there.
        v: Option<String> => "1775409359624890",
    }
}

/// A badge
///
/// Unknown coverage gives a grey *unknown*, never an error.
#[utoipa::path(
    get,
    path = "/coverages-api/badge",
    operation_id = "badge",
    tag = "images",
    params(NamedParameters, BadgeParameters, DrawingParameters, IfNoneMatch),
    responses(
        (status = 200, description = "An image.", body = String, content_type = "image/svg+xml"),
        (
            status = 307,
            description = "Redirects to the badge of the current version of `record`.",
            headers(("Location" = String, description = "The address with the current `v`."))
        ),
        Read
    )
)]
pub(super) async fn svg(state: Readable, request: Request) -> Response {
    let (query, headers) = (request.uri().query(), request.headers());
    let mut asked = Parameters::of_picture(query);
    let parameters = BadgeParameters::read(&mut asked).unwrap_or_default();
    let drawing = DrawingParameters::read(&mut asked).unwrap_or_default();
    let (coverage, version) = wanted(&state, &parameters, asked).await;
    if let Some(version) = &version
        && drawing.v.as_ref() != Some(version)
    {
        return redirect(&with_version(query.unwrap_or_default(), version));
    }
    let svg = badge(&state, &parameters, coverage).svg(drawing.style.as_deref());
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
    params(NamedParameters, BadgeParameters, IfNoneMatch),
    responses(
        (status = 200, description = "The content of the badge.", body = Badge),
        Read
    )
)]
pub(super) async fn json(state: Readable, request: Request) -> Result<Response, ApiError> {
    let (query, headers) = (request.uri().query(), request.headers());
    let mut asked = Parameters::of_picture(query);
    let parameters = BadgeParameters::read(&mut asked).unwrap_or_default();
    let (coverage, _) = wanted(&state, &parameters, asked).await;
    let badge = badge(&state, &parameters, coverage);
    let json = serde_json::to_string(&badge)?;
    Ok(image(headers, "application/json", json))
}

fn badge(state: &Readable, parameters: &BadgeParameters, coverage: Option<Percentage>) -> Badge {
    let palette = match parameters.palette.as_deref() {
        Some("cb") => Palette::ColorBlind,
        _ => Palette::Shields,
    };
    let decimals = match parameters.precision.as_deref() {
        Some("0") => 0,
        Some("1") => 1,
        _ => 2,
    };
    let (label, scale) = (parameters.label(), state.badge_scale);
    Badge::new(label, coverage, scale, palette, decimals)
}

/// The percentage of a badge as text, without the sign.
pub(super) async fn text(state: Readable, request: Request) -> Response {
    let (query, headers) = (request.uri().query(), request.headers());
    let mut asked = Parameters::of_picture(query);
    let parameters = BadgeParameters::read(&mut asked).unwrap_or_default();
    let (coverage, _) = wanted(&state, &parameters, asked).await;
    let text = badge(&state, &parameters, coverage).text();
    image(headers, "text/plain; charset=utf-8", text)
}

/// The coverage of a badge, and the version of an existing record: the badge of a version never changes.
type Wanted = (Option<Percentage>, Option<String>);

/// Unknown coverage if a parameter is invalid or the database fails, since an image cannot show an error.
async fn wanted(state: &Readable, parameters: &BadgeParameters, asked: Parameters) -> Wanted {
    let found = match &parameters.record {
        Some(record) => of_record(state, record).await,
        None => of_branch(state, parameters, asked).await,
    };
    found.unwrap_or_else(|error| {
        let cause = chain(&error);
        tracing::error!(cause, "a badge is shown without its percentage");
        Wanted::default()
    })
}

async fn of_record(state: &Readable, record: &str) -> Result<Wanted, StoreError> {
    let found = match record.parse() {
        Ok(record) => state.reader.badge_of_record(record).await?,
        Err(_) => None,
    };
    Ok(
        found.map_or_else(Wanted::default, |(percentage, updated_at)| {
            let version = links::badge_version(updated_at, percentage);
            (Some(percentage), Some(version))
        }),
    )
}

/// The coverage of the current record of a branch.
async fn of_branch(
    state: &Readable,
    parameters: &BadgeParameters,
    mut asked: Parameters,
) -> Result<Wanted, StoreError> {
    let names = NamedParameters::read(&mut asked).unwrap_or_default();
    let Some(named) = names.named() else {
        return Ok(Wanted::default());
    };
    let (view, since) = (parameters.view.as_deref(), parameters.since.as_deref());
    let view = view.map(str::parse).transpose();
    let since = since.map(str::parse).transpose();
    let part = parameters.part.as_deref().map(str::parse).transpose();
    let (Ok(view), Ok(since), Ok(part), Some(metric)) = (view, since, part, parameters.metric())
    else {
        return Ok(Wanted::default());
    };
    let what = Measure {
        metric,
        view: view.as_ref(),
        part: part.as_ref(),
        since: since.as_ref(),
    };
    let (branch, language) = (named.branch.as_ref(), named.language.as_ref());
    let badge = state
        .reader
        .badge(&named.repository, branch, language, what);
    Ok((badge.await?, None))
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
