//! `GET /coverages-api/trend.svg`: a repository's trend as an image, always one that can be shown, and one that never
//! sticks.

use super::{etag::revalidated, parameters::Parameters};
use crate::{
    error::{ApiError, chain},
    state::AppState,
    store,
};
use app::{
    charts::{Line, LineChart, Point, sentence},
    domain::{Repository, RepositoryQuery, Series, Timestamp, Trend, TrendRange},
};
use axum::{
    extract::{Request, State},
    http::{HeaderValue, header},
    response::Response,
};

const HOUR: i64 = 3_600_000_000;

pub(super) async fn svg(
    State(state): State<AppState>,
    request: Request,
) -> Result<Response, ApiError> {
    let parameters = Parameters::of(request.uri().query())?;
    let svg = picture(&state, &parameters).await;
    let media_type = "image/svg+xml; charset=utf-8";
    let mut response = revalidated(request.headers(), media_type, svg.into_bytes());
    // An SVG is a document too, where it is opened by itself.
    let policy = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'");
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    Ok(response)
}

/// A sentence where anything about it is unknown, or wrong: an image in a page cannot say more.
async fn picture(state: &AppState, parameters: &Parameters) -> String {
    let Some((repository, query)) = asked(parameters) else {
        let text =
            "This address names no repository, or a branch, language or range that cannot be.";
        return sentence("Coverage", text);
    };
    let title = format!("Coverage of {repository}");
    match state.store.trend(&repository, &query).await {
        Ok(Some((branch, trend))) if !trend.series.is_empty() => {
            let title = format!("{title}, {branch}");
            let empty = format!("Nothing was uploaded in {}.", query.range.long());
            chart(trend, query.range, state).document(&title, &empty)
        }
        Ok(_) => sentence(&title, "No such coverage was uploaded here."),
        Err(error) => {
            tracing::error!(cause = chain(&error), "a picture is without its trend");
            sentence(
                &title,
                "The coverage could not be read. Try again in a moment.",
            )
        }
    }
}

fn asked(parameters: &Parameters) -> Option<(Repository, RepositoryQuery)> {
    let repository = Repository {
        org: parameters.text("org_name")?.parse().ok()?,
        repo: parameters.text("repo_name")?.parse().ok()?,
    };
    let branch = parameters.text("branch_name").map(str::parse).transpose();
    let language = parameters.text("language").map(str::parse).transpose();
    let range = parameters.text("range").map(str::parse).transpose();
    let query = RepositoryQuery {
        branch: branch.ok()?,
        language: language.ok()?,
        // A README is looked at for years.
        range: range.ok()?.unwrap_or(TrendRange::Months12),
        ..RepositoryQuery::default()
    };
    Some((repository, query))
}

fn chart(trend: Trend, range: TrendRange, state: &AppState) -> LineChart {
    // To the hour, so that the picture stays the same for one.
    let until = Timestamp((store::now().0 / HOUR + 1) * HOUR);
    LineChart {
        lines: trend.series.into_iter().map(line).collect(),
        target: Some(state.target.0),
        since: range.since(until),
        until,
    }
}

fn line(series: Series) -> Line {
    let points = series.points.into_iter().map(|point| Point {
        at: point.at,
        percentage: point.percentage,
        href: None,
        detail: Vec::new(),
    });
    Line {
        is_over: !series.is_active,
        ..Line::with_gaps(series.language.to_string(), points.collect())
    }
}
