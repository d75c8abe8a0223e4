//! Reads the parts of an upload's form, in any order. The first part of each name counts; unknown ones are ignored.

use super::{
    form::{FILE, PATHS},
    incoming::Incoming,
    missing_file,
};
use crate::{
    http::error::ApiError,
    ingest::{Ingest, IngestError, Intake, Upload},
};
use axum::extract::{
    Multipart,
    multipart::{Field, MultipartError},
};
use futures::TryStreamExt;

/// Receives all parts. Without an archive the upload is refused.
pub(super) async fn receive(
    ingest: &Ingest,
    upload: Upload,
    mut multipart: Multipart,
    incoming: &Incoming,
) -> Result<Intake, ApiError> {
    let mut upload = Some(upload);
    let mut intake: Option<Intake> = None;
    loop {
        let part = match (multipart.next_field().await, &mut intake) {
            (Ok(Some(part)), _) => part,
            (Ok(None), _) => break,
            // An upload was complete with its archive before there were other parts.
            (Err(_), Some(intake)) if intake.has_archive() => {
                incoming.failure();
                intake.cut();
                break;
            }
            (Err(error), _) => return Err(broken(error).into()),
        };
        let has_archive = intake.as_ref().is_some_and(Intake::has_archive);
        let has_paths = intake.as_ref().is_some_and(Intake::has_paths);
        let is_archive = match part.name() {
            Some(FILE) if !has_archive => true,
            Some(PATHS) if !has_paths => false,
            _ => continue,
        };
        incoming.begin_part();
        if let Some(upload) = upload.take() {
            intake = Some(ingest.begin(upload).await?);
        }
        if let Some(intake) = &mut intake {
            take(ingest, intake, part, is_archive).await?;
        }
        incoming.end_part();
    }
    intake.ok_or_else(missing_file)
}

/// Reads a part to its end.
async fn take(
    ingest: &Ingest,
    intake: &mut Intake,
    mut part: Field<'_>,
    is_archive: bool,
) -> Result<(), IngestError> {
    let body = (&mut part).map_err(broken);
    if is_archive {
        intake.take_archive(ingest, body).await?;
    } else {
        intake.take_paths(body).await?;
    }
    while part.chunk().await.map_err(broken)?.is_some() {}
    Ok(())
}

fn broken(error: MultipartError) -> IngestError {
    IngestError::Body(error.body_text())
}
