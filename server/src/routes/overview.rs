//! `GET /coverages-api/overview`: one page of the overview's repositories, which its tables fetch.

use super::readable::Readable;
use crate::{
    http::error::ApiError,
    routes::{
        listing::Page,
        openapi::{
            names,
            refusals::{NotForStrangers, Unexpected, WrongParameters},
        },
        parameters::{Described, parameters},
    },
};
use app::api::OverviewAnswer;
use axum::{Json, extract::RawQuery};
use domain::{Language, OrgName, OverviewQuery, Show, Sort};

parameters! {
    /// The filters and the order of the overview.
    struct OverviewParameters {
        /// A page past the end is the last one.
        #[param(inline)]
        p: Option<Page>,
        /// Only repositories with this text in their `org_name/repo_name`, ignoring case.
        #[param(example = "pay")]
        keyword: Option<String>,
        /// Only this org and its groups.
        #[param(schema_with = names::some_org)]
        org_name: Option<OrgName>,
        /// Only this language.
        #[param(schema_with = names::some_language)]
        language: Option<Language>,
        #[param(schema_with = names::show)]
        show: Option<Show>,
        #[param(schema_with = names::sort)]
        sort: Option<Sort>,
    }
}

/// The repositories of the overview
///
/// The current record of every repository's main branch in each language, with its changes and its trend.
#[utoipa::path(
    get,
    path = "/coverages-api/overview",
    operation_id = "overview",
    tag = "internal",
    params(OverviewParameters),
    responses(
        (status = 200, description = "One page of repositories.", body = OverviewAnswer),
        WrongParameters,
        NotForStrangers,
        Unexpected
    )
)]
pub(super) async fn read(
    state: Readable,
    RawQuery(query): RawQuery,
) -> Result<Json<OverviewAnswer>, ApiError> {
    let parameters = OverviewParameters::of(query.as_deref())?;
    let page = parameters.p.unwrap_or_default().0;
    let query = OverviewQuery {
        keyword: parameters.keyword.unwrap_or_default(),
        org: parameters.org_name,
        language: parameters.language,
        show: parameters.show.unwrap_or_default(),
        sort: parameters.sort.unwrap_or_default(),
        page: u32::try_from(page).unwrap_or(u32::MAX),
    };
    let overview = state.reader.overview_page(query, state.target.0).await?;
    Ok(Json(OverviewAnswer::from(overview)))
}
