//! `GET /coverages-api/trend`: the trend of a repository as points, which its chart fetches.

use super::super::readable::Readable;
use crate::{
    http::error::ApiError,
    routes::{
        etag::json,
        line_history::unknown_since,
        openapi::{
            names,
            refusals::{IfNoneMatch, Read, WithoutTrend},
        },
        parameters::{Query, Repeated, Required, parameters},
        views::{self, no_view},
    },
};
use app::api::TrendAnswer;
use axum::{http::HeaderMap, response::Response};
use domain::{
    BranchName, Compared, Day, Language, Metric, NewSince, OrgName, RepoName, Repository,
    RepositoryQuery, TrendRange, ViewName,
};
use store::Counted;

parameters! {
    /// The parameters of a repository's trend, as on its page.
    struct PointParameters {
        /// The org.
        org_name: Required<OrgName>,
        /// The repository.
        repo_name: Required<RepoName>,
        /// The branch; by default the main branch.
        branch_name: Option<BranchName>,
        /// More branches, at most eight. The answer has eight series at most.
        compare: Repeated<BranchName>,
        /// The language; by default one series for each.
        language: Option<Language>,
        range: Option<TrendRange>,
        #[schema(names::from())]
        from: Option<Day>,
        #[schema(names::to())]
        to: Option<Day>,
        /// Only files of this view.
        view: Option<ViewName>,
        metric: Option<Metric>,
        /// For `metric=new`. An age counts back from each record.
        since: Option<NewSince>,
    }
}

/// The trend of a repository
///
/// The records of a branch and of compared branches over a period, reduced to points that keep the shape of the lines.
#[utoipa::path(
    get,
    path = "/coverages-api/trend",
    operation_id = "trend",
    tag = "records",
    params(PointParameters, IfNoneMatch),
    responses(
        (status = 200, description = "The series of the trend.", body = TrendAnswer),
        Read<WithoutTrend>
    )
)]
pub(in crate::routes) async fn read(
    Readable { reader, .. }: Readable,
    Query(parameters): Query<PointParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let repository = Repository {
        org: parameters.org_name.0,
        repo: parameters.repo_name.0,
    };
    let query = RepositoryQuery {
        branch: parameters.branch_name,
        compared: Compared::Branches(parameters.compare.0),
        language: parameters.language,
        range: parameters.range.unwrap_or_default(),
        from: parameters.from,
        to: parameters.to,
        view: parameters.view,
        metric: parameters.metric.unwrap_or_default(),
        since: parameters.since,
        ..RepositoryQuery::default()
    };
    let view = views::of_repository(&reader, &repository, query.view.as_ref()).await?;
    match reader.counted_trend(&repository, &query, view).await? {
        Some(Counted::Trend(_, trend)) => json(&headers, &TrendAnswer::from(trend)),
        Some(Counted::UnknownSince) => Err(unknown_since()),
        Some(Counted::NoView) => Err(query.view.as_ref().map_or_else(no_trend, no_view)),
        None => Err(no_trend()),
    }
}

fn no_trend() -> ApiError {
    ApiError::not_found("No coverage was uploaded for this repository and branch.")
}
