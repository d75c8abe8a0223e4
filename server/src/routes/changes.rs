//! `GET /coverages-api/records/{id}/changes`: the coverage of the changed lines of a record.

use super::readable::Readable;
use super::{
    etag::json,
    lines::no_lines,
    openapi::refusals::{IfNoneMatch, Read, WithoutChanges},
    parameters::{Query, parameters},
    record_id::RecordId,
    record_json::number,
    views,
};
use crate::http::error::{ApiError, Code};
use axum::{http::HeaderMap, response::Response};
use domain::{ChangedFile, RecordChanges, ViewName};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

parameters! {
    struct ChangesParameters {
        /// Only files of this view.
        view: Option<ViewName>,
    }
}

/// The changed lines of a record: lines of the measured tree that the base does not have.
#[derive(Serialize, ToSchema)]
#[schema(as = Changes, examples(json!({
    "covered": 22,
    "coverable": 24,
    "percentage": 91.67,
    "base_commit": "5b174c2d6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1c",
    "files": [{
        "path": "src/tax.rs",
        "old_path": "src/tax.rs",
        "covered": 22,
        "coverable": 24,
        "missed": [[41, 42]],
        "partial": [[50, 50]]
    }],
    "unmeasured": ["src/new.rs"],
    "unknown_files": 0
})))]
pub(super) struct ChangesJson<'a> {
    /// Changed lines that are covered: partial ones too, unless the settings say `partial = "miss"`.
    covered: u64,
    /// All coverable changed lines.
    coverable: u64,
    /// Their share in percent; `null` if no changed line is coverable.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    percentage: Option<Box<RawValue>>,
    /// The commit that the changes start from; `null` if no upload named it.
    base_commit: Option<&'a str>,
    /// The changed files that the record has, by path. A file that was only renamed has no changed lines.
    files: &'a [ChangedFile],
    /// Changed files that the record does not have, though it has others with the same extension.
    unmeasured: &'a [String],
    /// The number of changed files that are missing here, since their changed lines are unknown. There may be more.
    unknown_files: u64,
}

/// The changed lines of a record
///
/// The lines that the commit added to its base, with their states in the record. The form field `changes` of an upload states them, or
/// the forge. Partial lines count as covered, unless the settings say `partial = "miss"`.
#[utoipa::path(
    get,
    path = "/coverages-api/records/{id}/changes",
    operation_id = "changes",
    tag = "records",
    params(RecordId, ChangesParameters, IfNoneMatch),
    responses((status = 200, description = "The changed lines.", body = ChangesJson), Read<WithoutChanges>)
)]
pub(super) async fn read(
    Readable { reader, .. }: Readable,
    id: RecordId,
    Query(ChangesParameters { view }): Query<ChangesParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let view = views::of_record(&reader, id.0, view).await?;
    let known = reader.record_changes(id.0, view.clone()).await?;
    views::unless_costly(view.as_ref())?;
    let changed = match known.ok_or_else(|| id.missing())? {
        RecordChanges::Known(changed) => changed,
        unknown @ RecordChanges::Unknown(_) => {
            let why = unknown.unknown().unwrap_or_default();
            return Err(ApiError::new(Code::NoChanges, why));
        }
        RecordChanges::NotSent => {
            return Err(ApiError::new(
                Code::NoChanges,
                "No upload of this record sent the form field `changes`, so its changed lines are unknown.",
            ));
        }
        RecordChanges::NoLines => return Err(no_lines()),
    };
    let answer = ChangesJson {
        covered: changed.covered,
        coverable: changed.coverable,
        percentage: changed.percentage().and_then(number),
        base_commit: changed.base_commit.as_ref().map(|base| base.as_str()),
        files: &changed.files,
        unmeasured: &changed.unmeasured,
        unknown_files: changed.unknown.as_ref().map_or(0, |unknown| unknown.files),
    };
    json(&headers, &answer)
}
