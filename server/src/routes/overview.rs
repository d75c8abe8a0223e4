//! `GET /coverages-api/overview`: one page of the overview's repositories, which its tables fetch. It has the parameters of the page
//! `/` and may change with each release, so the OpenAPI document leaves it out.

use super::readable::Readable;
use crate::{http::error::ApiError, routes::parameters::Parameters};
use app::api::OverviewAnswer;
use axum::{Json, extract::RawQuery};
use domain::{OverviewQuery, Sort};

pub(super) async fn read(
    state: Readable,
    RawQuery(query): RawQuery,
) -> Result<Json<OverviewAnswer>, ApiError> {
    let mut parameters = Parameters::of(query.as_deref())?;
    // A page of another release would show its rows in the wrong order. Wrong values of the other
    // parameters count as absent, as on the page.
    let sort: Option<Option<Sort>> = parameters.read("sort");
    let query = OverviewQuery::of(&|name| {
        parameters
            .text(name)
            .map(str::to_owned)
            .into_iter()
            .collect()
    });
    parameters.check(sort)?;
    let overview = state.reader.overview_page(query, state.target.0).await?;
    Ok(Json(OverviewAnswer::from(overview)))
}
