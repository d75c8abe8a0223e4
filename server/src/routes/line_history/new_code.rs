//! `GET /coverages-api/records/{id}/new`: the new lines of a record.

use super::{ChainRecordJson, no_history};
use crate::{
    http::error::{ApiError, Code},
    routes::{
        etag::json,
        openapi::{
            names::{Named, text},
            refusals::{IfNoneMatch, Read, WithoutNew},
        },
        parameters::{Described, parameters},
        readable::Readable,
        record_id::RecordId,
        record_json::number,
    },
};
use axum::{extract::RawQuery, http::HeaderMap, response::Response};
use domain::{Count, LineRange, NewSince, NewSinceError, Percentage};
use serde::Serialize;
use serde_json::value::RawValue;
use std::str::FromStr;
use store::{NewCode, NewFile};
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema},
};

parameters! {
    struct NewParameters {
        since: Option<Since>,
    }
}

/// Since when lines are new.
struct Since(NewSince);

impl Named for Since {
    fn schema() -> RefOr<Schema> {
        let forms = "Since when lines are new: an age in days (`90d`), a day in UTC (`2026-09-01`), `record:` and an `id`, `commit:` and at least 7 digits of a commit of the main branch, or `tag:` and a name. Default: `90d`.";
        text(forms).examples(["tag:v2.3"]).into()
    }
}

impl FromStr for Since {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let since = text.parse().map(Self);
        since.map_err(|NewSinceError| {
            "must be an age such as 90d, a date such as 2026-09-01, record:17, commit:35805cc or tag:v2.3"
        })
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
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let since = NewParameters::of(query.as_deref())?.since;
    let since = since.map_or_else(NewSince::default, |Since(since)| since);
    let (record, files) = match reader.new_lines(id.0, &since).await? {
        None => return Err(id.missing()),
        Some(NewCode::NoHistory) => return Err(no_history()),
        Some(NewCode::UnknownSince) => {
            let detail = format!(
                "There is no record for `since={since}`; name a record, a commit or a tag of this repository."
            );
            return Err(ApiError::new(Code::UnknownSince, detail));
        }
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
