//! `GET /coverages-api/records/{id}/lines`, `…/report.lcov` and `…/report.cobertura.xml`: the state of every line of a record.

mod cobertura;
mod lcov;
mod pieces;

use super::readable::Readable;
use crate::{
    http::error::{ApiError, Code},
    routes::{
        etag::{json, streamed},
        line_history::{ChainRecordJson, no_history},
        openapi::{
            names::{Named, text},
            refusals::{IfNoneMatch, Read, WithoutFile, WithoutLines},
        },
        parameters::{AtMost, Flag, Query, Required, parameters},
        record_id::RecordId,
    },
};
use axum::{http::HeaderMap, response::Response};
use lines::{Lines, State as LineState};
use pieces::Pieces;
use serde::Serialize;
use store::{RangeHistory, Reader, RecordLines};
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema},
};

parameters! {
    struct LinesParameters {
        path: Required<SourcePath>,
        /// Whether the history of the lines is requested.
        history: Flag,
    }
}

const MAX_PATH_BYTES: usize = 4_096;

pub(super) type SourcePath = AtMost<MAX_PATH_BYTES>;

impl Named for SourcePath {
    fn schema() -> RefOr<Schema> {
        text("The path of a source file, as the record's page shows it, of at most 4096 bytes.")
            .min_length(Some(1))
            .max_length(Some(MAX_PATH_BYTES))
            .examples(["src/fee.rs"])
            .into()
    }
}

/// The lines of a source file by their state, as ranges with both ends.
#[derive(Serialize, ToSchema)]
#[schema(as = FileLines, examples(json!({
    "path": "src/fee.rs",
    "covered": 9,
    "coverable": 12,
    "hit": [[1, 8]],
    "partial": [[9, 9]],
    "missed": [[10, 12]]
})))]
pub(super) struct FileLinesJson<'a> {
    /// The path.
    path: &'a str,
    /// Lines that ran.
    covered: u64,
    /// All coverable lines.
    coverable: u64,
    /// Lines that ran, with all their branches.
    hit: Vec<[u32; 2]>,
    /// Lines that ran without all their branches.
    partial: Vec<[u32; 2]>,
    /// Lines that did not run.
    missed: Vec<[u32; 2]>,
    /// With `history`: when the lines came, and when they last ran, at most 10000 ranges. Only complete records of the main branch have
    /// a history.
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<Vec<RangeHistoryJson>>,
    /// Present if the file has more ranges of history.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    history_has_more: bool,
}

/// Lines with the same history, from `from` to `to`; other lines between them are not coverable. They came after the record `after` and
/// with the record `at` at the latest.
#[derive(Serialize, ToSchema)]
#[schema(as = LineHistory)]
pub(super) struct RangeHistoryJson {
    /// The first line.
    from: u32,
    /// The last line.
    to: u32,
    /// The newest record that did not have the lines; `null` if that is unknown.
    after: Option<ChainRecordJson>,
    /// The oldest record that is known to have the lines.
    at: Option<ChainRecordJson>,
    /// The newest record that ran the lines; `null` if no record is known to have run them.
    last_run: Option<ChainRecordJson>,
}

impl From<RangeHistory> for RangeHistoryJson {
    fn from(range: RangeHistory) -> Self {
        let (from, to) = range.lines;
        Self {
            from,
            to,
            after: range.after.map(ChainRecordJson::from),
            at: range.at.map(ChainRecordJson::from),
            last_run: range.last_run.map(ChainRecordJson::from),
        }
    }
}

/// The lines of a source file
///
/// Lines that are not coverable are in no range. Partial lines count as covered.
#[utoipa::path(
    get,
    path = "/coverages-api/records/{id}/lines",
    operation_id = "fileLines",
    tag = "records",
    params(RecordId, LinesParameters, IfNoneMatch),
    responses((status = 200, description = "The lines.", body = FileLinesJson), Read<WithoutFile>)
)]
pub(super) async fn of_file(
    Readable { reader, .. }: Readable,
    id: RecordId,
    Query(parameters): Query<LinesParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let AtMost(path) = parameters.path.0;
    let (lines, _) = kept(&reader, id).await?;
    let file = lines.get(&path).ok_or_else(no_such_file)?;
    let counts = file.counts();
    let ranges = |state| {
        let ranges = file.ranges(state).into_iter();
        ranges.map(|range| [*range.start(), *range.end()]).collect()
    };
    let history = match parameters.history {
        Flag(true) => {
            let history = reader.file_history(id.0, &path).await?;
            Some(history.ok_or_else(no_history)?)
        }
        Flag(false) => None,
    };
    let answer = FileLinesJson {
        path: &path,
        covered: counts.covered(),
        coverable: counts.coverable(),
        hit: ranges(LineState::Hit),
        partial: ranges(LineState::Partial),
        missed: ranges(LineState::Missed),
        history_has_more: history.as_ref().is_some_and(|history| history.has_more),
        history: history.map(|history| {
            let ranges = history.ranges.into_iter();
            ranges.map(RangeHistoryJson::from).collect()
        }),
    };
    json(&headers, &answer)
}

/// All lines of a record, as LCOV
///
/// Branches are written for partial lines only: branches of other lines are not kept.
#[utoipa::path(
    get,
    path = "/coverages-api/records/{id}/report.lcov",
    tag = "records",
    params(RecordId, IfNoneMatch),
    responses((status = 200, description = "An LCOV file.", body = String, content_type = "text/plain"), Read<WithoutLines>)
)]
pub(super) async fn lcov(
    Readable { reader, .. }: Readable,
    id: RecordId,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let media_type = "text/plain; charset=utf-8";
    whole(&reader, id, &headers, media_type, lcov::pieces).await
}

/// All lines of a record, as Cobertura XML
///
/// Branches are written for partial lines only: branches of other lines are not kept.
#[utoipa::path(
    get,
    path = "/coverages-api/records/{id}/report.cobertura.xml",
    tag = "records",
    params(RecordId, IfNoneMatch),
    responses(
        (status = 200, description = "A Cobertura file.", body = String, content_type = "application/xml"),
        Read<WithoutLines>
    )
)]
pub(super) async fn cobertura(
    Readable { reader, .. }: Readable,
    id: RecordId,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    whole(&reader, id, &headers, "application/xml", cobertura::pieces).await
}

/// All lines of a record as a coverage file, which `pieces` writes.
async fn whole(
    reader: &Reader,
    id: RecordId,
    headers: &HeaderMap,
    media_type: &'static str,
    pieces: impl FnOnce(Lines) -> Pieces,
) -> Result<Response, ApiError> {
    let (lines, digest) = kept(reader, id).await?;
    // The first number changes with the format of the text.
    let version = format!("1-{}-{digest}", id.0);
    let body = || pieces(lines).into_body();
    Ok(streamed(headers, media_type, &version, body))
}

/// The lines of a record, and their digest.
async fn kept(reader: &Reader, id: RecordId) -> Result<(Lines, String), ApiError> {
    let lines = reader.record_lines(id.0).await?;
    match lines.ok_or_else(|| id.missing())? {
        RecordLines::Kept { lines, digest } => Ok((*lines, digest)),
        RecordLines::NotKept => Err(no_lines()),
    }
}

pub(super) fn no_such_file() -> ApiError {
    let detail = "The record has no lines of this file; its page lists its files.";
    ApiError::new(Code::NoSuchFile, detail)
}

pub(super) fn no_lines() -> ApiError {
    ApiError::new(
        Code::NoLines,
        "The lines of this record are not kept; the lines of newer uploads are, if the coverage file has them.",
    )
}
