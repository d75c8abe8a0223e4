//! `GET /coverages-api/report`: the report of an org about a period.

mod json;

use super::{
    etag,
    openapi::{
        names,
        refusals::{IfNoneMatch, Read, WithoutTable},
    },
    parameters::{Query, Required, parameters},
    readable::Readable,
    upload::PlainText,
};
use crate::http::error::ApiError;
use axum::{http::HeaderMap, response::Response};
use domain::{Day, OrgName, ReportQuery};
use json::ReportJson;
use store::now;

parameters! {
    struct ReportParameters {
        org_name: Required<OrgName>,
        /// Only files of this owner, and repositories that have some. `none` for files without an owner.
        owner: Option<PlainText<255>>,
        #[schema(names::from())]
        from: Option<Day>,
        #[schema(names::to())]
        to: Option<Day>,
    }
}

/// The report of an org about a period
///
/// The new lines of at most 366 days, what moved, what is silent, and which gates failed, over the repositories of an org and of its groups. By
/// default, the period is the quarter to date. Each list has the ten most important rows.
#[utoipa::path(
    get,
    path = "/coverages-api/report",
    operation_id = "report",
    tag = "records",
    params(ReportParameters, IfNoneMatch),
    responses((status = 200, description = "The report.", body = ReportJson), Read<WithoutTable>)
)]
pub(super) async fn read(
    Readable { reader, .. }: Readable,
    Query(of): Query<ReportParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let owner = of.owner.map(|PlainText(owner)| owner);
    let query = ReportQuery {
        from: of.from,
        to: of.to,
        ..ReportQuery::default()
    };
    let period = query.period(Day::of(now()));
    let period = period.map_err(|wrong| ApiError::parameter("from", wrong.to_string()))?;
    let report = reader
        .period_report(&of.org_name.0, period, owner.as_deref())
        .await?;
    let report = report.ok_or_else(|| {
        ApiError::not_found(
            "No coverage was uploaded for this org, or none of its repositories has this owner.",
        )
    })?;
    etag::json(&headers, &ReportJson::from(report))
}
