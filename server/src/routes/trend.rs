//! `GET /coverages-api/trend.svg`: the trend of a repository or an org as an image, which is always displayable; and
//! `GET /coverages-api/trend`, its points. Caches must revalidate both.

mod of_org;
pub(super) mod points;

use super::readable::Readable;
use super::{
    image::{NamedParameters, SVG, image},
    openapi::refusals::{IfNoneMatch, Read},
    parameters::{Described, parameters},
};
use app::charts::{Line, LineChart, Point, sentence};
use axum::{extract::Request, response::Response};
use domain::{
    Compared, Repository, RepositoryQuery, Series, Timestamp, Trend, TrendRange, text::chain,
};
use std::str::FromStr;

const UNREADABLE: &str = "The coverage could not be read. Try again in a few seconds.";

const HOUR: i64 = 3_600_000_000;

parameters! {
    /// The parameters of the image. No value is refused: an image cannot return an error.
    #[derive(Default)]
    struct TrendParameters {
        /// `7d`, `30d`, `3m`, `6m`, `12m` or `all`; by default `12m`, for an org `3m`.
        #[param(example = "12m")]
        range: Option<String>,
        /// The first day.
        #[param(example = "2026-01-01")]
        from: Option<String>,
        /// The last day.
        #[param(example = "2026-03-31")]
        to: Option<String>,
        /// `weighted` by lines or `plain` average; only for an org.
        #[param(example = "weighted")]
        mean: Option<String>,
        /// Over the `same` repositories or `all`; only for an org.
        #[param(example = "same")]
        over: Option<String>,
    }
}

/// A trend as an image
///
/// If something is unknown, the image states that; there is never an error.
#[utoipa::path(
    get,
    path = "/coverages-api/trend.svg",
    operation_id = "trendImage",
    tag = "images",
    params(TrendParameters, IfNoneMatch),
    responses(
        (status = 200, description = "An image, in light and dark.", body = String, content_type = "image/svg+xml"),
        Read
    )
)]
pub(super) async fn svg(state: Readable, request: Request) -> Response {
    let query = request.uri().query();
    let names = NamedParameters::of_picture(query);
    let parameters = TrendParameters::of_picture(query);
    let svg = picture(&state, &names, &parameters).await;
    image(request.headers(), SVG, svg)
}

/// Returns the chart, or a sentence if something is unknown or invalid, since an image cannot return an error.
async fn picture(
    state: &Readable,
    names: &NamedParameters,
    parameters: &TrendParameters,
) -> String {
    if names.repo_name.is_none()
        && let Some(org) = valid(&names.org_name)
    {
        return of_org::picture(state, org, parameters).await;
    }
    let Some((repository, query)) = asked(names, parameters) else {
        let text =
            "This address has no org_name and repo_name, or an invalid branch, language or range.";
        return sentence("Coverage", text);
    };
    let title = format!("Coverage of {repository}");
    match state.reader.trend(&repository, &query).await {
        Ok(Some((branch, trend))) if !trend.series.is_empty() => {
            let title = format!("{title}, {branch}");
            let empty = if query.has_dates() {
                "Nothing was uploaded on these days.".to_owned()
            } else {
                format!("Nothing was uploaded in {}.", query.range.long())
            };
            chart(trend, &query, state).document(&title, &empty)
        }
        Ok(_) => sentence(&title, "No such coverage was uploaded here."),
        Err(error) => {
            tracing::error!(
                cause = chain(&error),
                "a trend image is shown without its trend"
            );
            sentence(&title, UNREADABLE)
        }
    }
}

fn asked(
    names: &NamedParameters,
    parameters: &TrendParameters,
) -> Option<(Repository, RepositoryQuery)> {
    let named = names.read()?;
    let range = parameters.range.as_deref().map(str::parse).transpose();
    let query = RepositoryQuery {
        branch: named.branch,
        language: named.language,
        // A README stays unchanged for years, so the default range is long.
        range: range.ok()?.unwrap_or(TrendRange::Months12),
        // Invalid dates are ignored, as on the page.
        from: valid(&parameters.from),
        to: valid(&parameters.to),
        compared: Compared::Branches(Vec::new()),
        ..RepositoryQuery::default()
    };
    Some((named.repository, query))
}

/// Returns the value of a parameter, unless it is missing or invalid.
fn valid<T: FromStr>(text: &Option<String>) -> Option<T> {
    text.as_ref()?.parse().ok()
}

pub(super) fn chart(trend: Trend, query: &RepositoryQuery, state: &Readable) -> LineChart {
    // Rounded to the hour, so that the image changes only once per hour.
    let now = Timestamp((store::now().0 / HOUR + 1) * HOUR);
    let is_past = query.is_past(now);
    let lines = trend.series.into_iter().map(|series| Line {
        is_over: is_past || !series.is_active,
        ..line(series)
    });
    LineChart {
        lines: lines.collect(),
        target: Some(state.target.0),
        since: query.since(now),
        until: query.until(now),
        is_daily: false,
    }
}

fn line(series: Series) -> Line {
    let points = series.points.into_iter().map(|point| Point {
        at: point.at,
        percentage: point.percentage,
        href: None,
        detail: Vec::new(),
        has_failed: false,
    });
    Line::with_gaps(series.language.to_string(), points.collect())
}
