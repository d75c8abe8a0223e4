//! `GET /coverages-api/trend.svg`: the trend of a repository or an org as an image, which is always displayable; and
//! `GET /coverages-api/trend`, its points. Caches must revalidate both.

pub(super) mod points;

use super::readable::Readable;
use super::{
    image::{NamedParameters, SVG, image},
    openapi::refusals::{IfNoneMatch, Read},
    parameters::{Described, Parameters, parameters},
};
use app::charts::{Line, LineChart, Point, sentence};
use axum::{extract::Request, response::Response};
use domain::{
    Compared, OrgName, OrgPoint, OrgQuery, OrgReport, Percentage, Repository, RepositoryQuery,
    Series, StatedMetric, Timestamp, Trend, TrendRange, text::chain,
};
use std::str::FromStr;
use store::{Counted, StoreError};

const HOUR: i64 = 3_600_000_000;

parameters! {
    /// The parameters of the image. No value is refused: an image cannot return an error.
    #[derive(Default)]
    struct TrendParameters {
        /// `7d`, `30d`, `3m`, `6m`, `12m` or `all`; by default `12m`, for an org `3m`.
        range: Option<String> => "12m",
        /// The first day.
        from: Option<String> => "2026-01-01",
        /// The last day.
        to: Option<String> => "2026-03-31",
        /// `weighted` by lines or `plain` average; only for an org.
        mean: Option<String> => "weighted",
        /// Over the `same` repositories or `all`; only for an org.
        over: Option<String> => "same",
        /// Only files of this view; not for an org.
        view: Option<String> => "owner:@acme/payments",
        /// `lines`, `branches`, `functions`, or `new` for new lines; by default `lines`. For an org, not `new`.
        metric: Option<String> => "branches",
        /// For `metric=new`: since when lines are new.
        since: Option<String> => "tag:v2.3",
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
    params(NamedParameters, TrendParameters, IfNoneMatch),
    responses(
        (status = 200, description = "An image, in light and dark.", body = String, content_type = "image/svg+xml"),
        Read
    )
)]
pub(super) async fn svg(state: Readable, request: Request) -> Response {
    let mut query = Parameters::of_picture(request.uri().query());
    let names = NamedParameters::read(&mut query).unwrap_or_default();
    let parameters = TrendParameters::read(&mut query).unwrap_or_default();
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
        return of_org(state, org, parameters).await;
    }
    let Some((repository, query)) = asked(names, parameters) else {
        let text = "This address has no org_name and repo_name, or an invalid branch, language, range, view or metric.";
        return sentence("Coverage", text);
    };
    let title = format!("Coverage of {repository}");
    let view = match &query.view {
        Some(view) => match state.reader.view(&repository, view).await {
            Ok(Some(view)) => Some(view),
            Ok(None) => return sentence(&title, "No such view is defined here."),
            Err(error) => return unreadable(&title, &error),
        },
        None => None,
    };
    let title = match &query.view {
        Some(view) => format!("{title}, {view}"),
        None => title,
    };
    match state.reader.counted_trend(&repository, &query, view).await {
        Ok(Some(Counted::Trend(branch, trend))) if !trend.series.is_empty() => {
            let title = format!("{title}, {branch}");
            let empty = if query.has_dates() {
                "Nothing was uploaded on these days.".to_owned()
            } else {
                format!("Nothing was uploaded in {}.", query.range.long())
            };
            chart(trend, &query, state).document(&title, &empty)
        }
        Ok(Some(Counted::NoView)) => {
            let text =
                "No file of this view was measured, or finding its files takes too many steps.";
            sentence(&title, text)
        }
        Ok(_) => sentence(&title, "No such coverage was uploaded here."),
        Err(error) => unreadable(&title, &error),
    }
}

fn asked(
    names: &NamedParameters,
    parameters: &TrendParameters,
) -> Option<(Repository, RepositoryQuery)> {
    let named = names.named()?;
    let range = parameters.range.as_deref().map(str::parse).transpose();
    let query = RepositoryQuery {
        branch: named.branch,
        language: named.language,
        // A README stays unchanged for years, so the default range is long.
        range: range.ok()?.unwrap_or(TrendRange::Months12),
        // Invalid dates are ignored, as on the page.
        from: valid(&parameters.from),
        to: valid(&parameters.to),
        view: parameters
            .view
            .as_deref()
            .map(str::parse)
            .transpose()
            .ok()?,
        metric: parameters
            .metric
            .as_deref()
            .map(str::parse)
            .transpose()
            .ok()?
            .unwrap_or_default(),
        since: parameters
            .since
            .as_deref()
            .map(str::parse)
            .transpose()
            .ok()?,
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
    let chart = LineChart {
        lines: lines.collect(),
        target: Some(state.target.0),
        since: query.since(now),
        until: query.until(now),
        is_daily: false,
        is_share: false,
    };
    match query.has_dates() {
        true => chart,
        false => chart.of_range(),
    }
}

fn line(series: Series) -> Line {
    let points = series.points.into_iter();
    let points = points.map(|point| plain_point(point.at, point.percentage));
    Line::with_gaps(series.language.to_string(), points.collect())
}

fn plain_point(at: Timestamp, percentage: Percentage) -> Point {
    Point {
        at,
        percentage,
        href: None,
        detail: Vec::new(),
        has_failed: false,
        repositories: 0,
    }
}

/// The image if the database fails, since an image cannot return an error.
fn unreadable(title: &str, error: &StoreError) -> String {
    let cause = chain(error);
    tracing::error!(cause, "a trend image is shown without its trend");
    let text = "The coverage could not be read. Try again in a few seconds.";
    sentence(title, text)
}

/// The trend of an org, with the parameters of its page.
async fn of_org(state: &Readable, org: OrgName, parameters: &TrendParameters) -> String {
    let title = format!("Coverage of {org}");
    // Invalid values are ignored, as on the page.
    let query = OrgQuery {
        org: Some(org.clone()),
        range: valid(&parameters.range).unwrap_or_default(),
        from: valid(&parameters.from),
        to: valid(&parameters.to),
        metric: valid(&parameters.metric).unwrap_or_default(),
        mean: valid(&parameters.mean).unwrap_or_default(),
        over: valid(&parameters.over).unwrap_or_default(),
    };
    match state.reader.org_groups(&query, state.target.0).await {
        Ok(Some(history)) => {
            // With the case of the stored name.
            let org = history.org.as_ref().unwrap_or(&org);
            let title = match query.metric {
                StatedMetric::Lines => format!("Coverage of {org}"),
                metric => format!("{} of {org}", metric.coverage()),
            };
            let empty = "Nothing was uploaded in this period.";
            let report = OrgReport::of(&history, &query, state.target.0);
            report.map_or_else(
                || sentence(&title, empty),
                |report| chart_of_org(&report, &query, state.target.0).document(&title, empty),
            )
        }
        Ok(None) => sentence(&title, "No such coverage was uploaded here."),
        Err(error) => unreadable(&title, &error),
    }
}

fn chart_of_org(report: &OrgReport, query: &OrgQuery, target: Percentage) -> LineChart {
    // Days without a value are a gap.
    let pieces = report.points.split(|point| point.coverage.is_none());
    let pieces = pieces.map(|points| points.iter().filter_map(point_of_org).collect::<Vec<_>>());
    let chart = LineChart {
        lines: vec![Line {
            label: query.label_of(query.mean),
            pieces: pieces.filter(|points| !points.is_empty()).collect(),
            is_over: true,
        }],
        target: Some(target),
        since: Some(report.period.from.start()),
        until: report.period.to.start(),
        is_daily: true,
        is_share: false,
    };
    match query.has_dates() {
        true => chart,
        false => chart.of_range(),
    }
}

fn point_of_org(point: &OrgPoint) -> Option<Point> {
    Some(plain_point(point.day.start(), point.coverage?))
}
