//! `GET /coverages-api/records/{id}/new`: the new lines of a record; `GET /coverages-api/cold`: lines that nothing runs.

use super::readable::Readable;
use super::{
    etag::json,
    openapi::{
        names::{Named, number as number_schema, text},
        refusals::{IfNoneMatch, Read, WithoutCold, WithoutNew},
    },
    parameters::{Described, Required, parameters},
    record_id::RecordId,
    record_json::number,
};
use crate::http::error::{ApiError, Code};
use axum::{extract::RawQuery, http::HeaderMap, response::Response};
use domain::{
    ChainRecord, Count, Language, LineRange, NewSince, NewSinceError, OrgName, Percentage,
    RepoName, Repository, text::rfc3339,
};
use serde::Serialize;
use serde_json::value::RawValue;
use std::str::FromStr;
use store::{ColdFile, NewCode, NewFile};
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema},
};

/// A record in the history of lines.
#[derive(Serialize, ToSchema)]
#[schema(as = HistoryRecord)]
pub(super) struct ChainRecordJson {
    /// The `id` of the record.
    #[schema(minimum = 1, examples(17))]
    id: i64,
    /// Its commit.
    #[schema(examples("9be01d2f6a7c4e5b8d3f1a2b3c4d5e6f7a8b9c0d"))]
    commit_hash: String,
    /// When the commit was first uploaded.
    #[schema(format = DateTime, examples("2026-04-05T17:15:59.624890+00:00"))]
    created_at: String,
}

impl From<ChainRecord> for ChainRecordJson {
    fn from(record: ChainRecord) -> Self {
        Self {
            id: record.id,
            commit_hash: record.commit.to_string(),
            created_at: rfc3339(record.created_at),
        }
    }
}

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
pub(super) async fn new(
    Readable { reader, .. }: Readable,
    id: RecordId,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let since = NewParameters::of(query.as_deref())?.since;
    let since = since.map_or_else(NewSince::default, |Since(since)| since);
    let (position, files) = match reader.new_lines(id.0, &since).await? {
        None => return Err(id.missing()),
        Some(NewCode::NoHistory) => return Err(no_history()),
        Some(NewCode::UnknownSince) => {
            let detail = format!(
                "There is no record for `since={since}`; name a record, a commit or a tag of this repository."
            );
            return Err(ApiError::new(Code::UnknownSince, detail));
        }
        Some(NewCode::Known(position, files)) => (position, files),
    };
    let sum = |of: fn(&NewFile) -> u64| files.iter().map(of).sum();
    let (covered, coverable) = (sum(|file| file.covered), sum(|file| file.coverable));
    let percentage = Percentage::of(Count {
        covered,
        total: coverable,
    });
    let answer = NewJson {
        since: position.record.map(ChainRecordJson::from),
        covered,
        coverable,
        percentage: percentage.and_then(number),
        unknown: sum(|file| file.unknown),
        files: files.into_iter().map(NewFileJson::from).collect(),
    };
    json(&headers, &answer)
}

pub(super) fn no_history() -> ApiError {
    ApiError::new(
        Code::NoHistory,
        "The lines of this record have no history: only complete records of the main branch have one, a moment after the upload.",
    )
}

parameters! {
    struct ColdParameters {
        org_name: Required<OrgName>,
        repo_name: Required<RepoName>,
        language: Required<Language>,
        days: Option<Days>,
    }
}

/// A number of days, 1 to 9999.
struct Days(u16);

impl Named for Days {
    fn schema() -> RefOr<Schema> {
        let days = number_schema("For how many days nothing has run the lines. Default: 90.");
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
        Self {
            path: file.path,
            coverable: file.coverable,
            cold: file.cold,
            ranges: file.ranges,
            last_run: file.last_run.map(ChainRecordJson::from),
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
pub(super) async fn cold(
    Readable { reader, .. }: Readable,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let of = ColdParameters::of(query.as_deref())?;
    let repository = Repository {
        org: of.org_name.0,
        repo: of.repo_name.0,
    };
    let days = of.days.map_or(90, |Days(days)| days);
    let cold = reader.cold(&repository, &of.language.0, days).await?;
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
