//! `GET /coverages-api/cold`: lines that nothing runs.

use super::ChainRecordJson;
use crate::{
    http::error::{ApiError, Code},
    routes::{
        etag::json,
        openapi::{
            names::{Named, number},
            refusals::{IfNoneMatch, Read, WithoutCold},
        },
        parameters::{Query, Required, parameters},
        readable::Readable,
        views,
    },
};
use axum::{http::HeaderMap, response::Response};
use domain::{ColdFile, Language, LineRange, NotRunSince, OrgName, RepoName, Repository, ViewName};
use serde::Serialize;
use std::str::FromStr;
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema},
};

parameters! {
    struct ColdParameters {
        org_name: Required<OrgName>,
        repo_name: Required<RepoName>,
        language: Required<Language>,
        days: Option<Days>,
        /// Only files of this view.
        view: Option<ViewName>,
    }
}

/// A number of days, 1 to 9999.
struct Days(u16);

impl Named for Days {
    fn schema() -> RefOr<Schema> {
        let days = number("For how many days nothing has run the lines. Default: 90.");
        days.minimum(Some(1))
            .maximum(Some(9999))
            .examples([365])
            .into()
    }
}

impl FromStr for Days {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let days = text.parse().ok().filter(|days| (1..=9999).contains(days));
        days.map(Self).ok_or("must be a number of days, 1 to 9999")
    }
}

/// Lines that nothing runs.
#[derive(Serialize, ToSchema)]
#[schema(as = ColdCode)]
struct ColdJson {
    /// The requested number of days.
    days: u16,
    /// How many days the history of the lines goes back. Lines that are older than the history count as cold only if it is as long
    /// as `days`.
    known_days: u64,
    /// The files with cold lines, the most cold lines first.
    files: Vec<ColdFileJson>,
}

/// The cold lines of a file.
#[derive(Serialize, ToSchema)]
#[schema(as = ColdFile)]
struct ColdFileJson {
    /// The path.
    path: String,
    /// All coverable lines.
    coverable: u64,
    /// The number of cold lines.
    cold: u64,
    /// The cold lines, as ranges with both ends.
    #[schema(value_type = Vec<[u32; 2]>)]
    ranges: Vec<LineRange>,
    /// The newest record that ran one of the lines; `null` if no record is known to have run them.
    last_run: Option<ChainRecordJson>,
}

impl From<ColdFile> for ColdFileJson {
    fn from(file: ColdFile) -> Self {
        let last_run = match file.since {
            Some(NotRunSince::LastRun(record, _)) => Some(record.into()),
            _ => None,
        };
        Self {
            path: file.path,
            coverable: file.coverable,
            cold: file.cold,
            ranges: file.ranges,
            last_run,
        }
    }
}

/// Lines that nothing runs
///
/// Lines of the newest record of the main branch that came more than `days` ago, and that no record has run since.
#[utoipa::path(
    get,
    path = "/coverages-api/cold",
    operation_id = "coldCode",
    tag = "records",
    params(ColdParameters, IfNoneMatch),
    responses((status = 200, description = "The files with such lines.", body = ColdJson), Read<WithoutCold>)
)]
pub(in crate::routes) async fn read(
    Readable { reader, .. }: Readable,
    Query(of): Query<ColdParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let repository = Repository {
        org: of.org_name.0,
        repo: of.repo_name.0,
    };
    let days = of.days.map_or(90, |Days(days)| days);
    let view = views::of_repository(&reader, &repository, of.view.as_ref()).await?;
    let cold = reader.cold(&repository, &of.language.0, days, view.clone());
    let cold = cold.await?;
    views::unless_costly(view.as_ref())?;
    let cold = cold.ok_or_else(|| {
        let detail = "The main branch of this repository has no record in this language whose lines have a history.";
        ApiError::new(Code::NoHistory, detail)
    })?;
    let answer = ColdJson {
        days,
        known_days: cold.known_days,
        files: cold.files.into_iter().map(ColdFileJson::from).collect(),
    };
    json(&headers, &answer)
}
