//! `GET /coverages-api/records/{id}/source`: the text of a source file, as its job sent it.

use crate::{
    http::error::{ApiError, Code},
    routes::{
        etag::plain_text,
        lines::SourcePath,
        openapi::refusals::{IfNoneMatch, Read, WithoutSource},
        parameters::{AtMost, Query, Required, parameters},
        readable::Readable,
        record_id::RecordId,
    },
};
use axum::{http::HeaderMap, response::Response};
use domain::SourceText;

parameters! {
    struct SourceParameters {
        path: Required<SourcePath>,
    }
}

/// The text of a source file
///
/// The text as the job sent it, if the operator accepts source text. It is kept as long as the lines of the record.
#[utoipa::path(
    get,
    path = "/coverages-api/records/{id}/source",
    operation_id = "sourceText",
    tag = "records",
    params(RecordId, SourceParameters, IfNoneMatch),
    responses((status = 200, description = "The text.", body = String, content_type = "text/plain"), Read<WithoutSource>)
)]
pub(super) async fn read(
    Readable { reader, .. }: Readable,
    id: RecordId,
    Query(SourceParameters { path }): Query<SourceParameters>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let AtMost(path) = path.0;
    if let Some(SourceText(text)) = reader.source_text(id.0, &path).await? {
        return Ok(plain_text(&headers, text.to_string()));
    }
    let record = reader.names_of_record(id.0).await?;
    record.ok_or_else(|| id.missing())?;
    let detail = "The text of this file is not stored.";
    Err(ApiError::new(Code::NoSource, detail))
}
