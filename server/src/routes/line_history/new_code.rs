//! `GET /coverages-api/records/{id}/new`: the new lines of a record.

use super::{ChainRecordJson, no_history, unknown_since};
use crate::{
    http::error::ApiError,
    routes::{
        etag::json,
        openapi::refusals::{IfNoneMatch, Read, WithoutNew},
        parameters::{Query, parameters},
        readable::Readable,
        record_id::RecordId,
        record_json::number,
        views,
    },
};
use axum::{http::HeaderMap, response::Response};
use domain::{Count, LineRange, NewSince, Percentage, ViewName};
use serde::Serialize;
use serde_json::value::RawValue;
use store::{NewCode, NewFile};
use utoipa::ToSchema;

parameters! {
    struct NewParameters {
        since: Option<NewSince>,
        /// Only files of this view.
        view: Option<ViewName>,
    }
}

/// The new lines of a record.
#[derive(Serialize, ToSchema)]
#[schema(as = NewCode)]
struct NewJson {
    /// The newest record that is not after `since`; `null` if the history of the lines begins later.
    since: Option<ChainRecordJson>,
    /// New lines that ran.
    covered: u64,
    /// All new lines.
    coverable: u64,
    /// Their share in percent; `null` without new lines.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    percentage: Option<Box<RawValue>>,
    /// Lines that may be new. They are not counted above.
    unknown: u64,
    /// The files with new lines, or lines that may be new, by path.
    files: Vec<NewFileJson>,
}

/// The new lines of a file.
#[derive(Serialize, ToSchema)]
#[schema(as = NewCodeFile)]
struct NewFileJson {
    /// The path.
    path: String,
    /// New lines that ran.
    covered: u64,
    /// All new lines.
    coverable: u64,
    /// Lines that may be new.
    unknown: u64,
    /// New lines that did not run, as ranges with both ends.
    #[schema(value_type = Vec<[u32; 2]>)]
    missed: Vec<LineRange>,
}

impl From<NewFile> for NewFileJson {
    fn from(file: NewFile) -> Self {
        Self {
            path: file.path,
            covered: file.covered,
            coverable: file.coverable,
            unknown: file.unknown,
            missed: file.missed,
        }
    }
}

/// The new lines of a record
///
/// The lines that came after a day, a record, a commit or a tag, and how many of them run. Each line came between two records of the
/// main branch, which the changes of uploads tell. A line may be new if `since` is between these two records. Moved and reformatted
/// lines are new, as in `git blame`.
#[utoipa::path(
    get,
    path = "/coverages-api/records/{id}/new",
    operation_id = "newCode",
    tag = "records",
    params(RecordId, NewParameters, IfNoneMatch),
    responses((status = 200, description = "The new lines.", body = NewJson), Read<WithoutNew>)
)]
pub(in crate::routes) async fn read(
    Readable { reader, .. }: Readable,
    id: RecordId,
    Query(NewParameters { since, view }): Query<NewParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let view = views::of_record(&reader, id.0, view).await?;
    let found = reader.new_lines(id.0, since.as_ref(), view.clone()).await?;
    views::unless_costly(view.as_ref())?;
    let (record, files) = match found {
        None => return Err(id.missing()),
        Some(NewCode::NoHistory) => return Err(no_history()),
        Some(NewCode::UnknownSince) => return Err(unknown_since()),
        Some(NewCode::Known(record, files)) => (record, files),
    };
    let sum = |of: fn(&NewFile) -> u64| files.iter().map(of).sum();
    let (covered, coverable) = (sum(|file| file.covered), sum(|file| file.coverable));
    let percentage = Percentage::of(Count {
        covered,
        total: coverable,
    });
    let answer = NewJson {
        since: record.map(ChainRecordJson::from),
        covered,
        coverable,
        percentage: percentage.and_then(number),
        unknown: sum(|file| file.unknown),
        files: files.into_iter().map(NewFileJson::from).collect(),
    };
    json(&headers, &answer)
}
