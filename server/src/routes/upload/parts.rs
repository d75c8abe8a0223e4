//! Reads the parts of an upload's form, in any order. The first part of each name counts; unknown ones are ignored.

use super::{
    form::{CHANGES, FILE, OWNERS, PATHS, SETTINGS, SOURCES},
    incoming::Incoming,
};
use crate::http::error::ApiError;
use axum::extract::{
    Multipart,
    multipart::{Field, MultipartError},
};
use futures::TryStreamExt;
use ingest::{FormField, Ingest, IngestError, Intake, Upload};

/// Receives all parts of the form. Returns the upload if the form has no wanted part.
pub(super) async fn receive(
    ingest: &Ingest,
    upload: Upload,
    mut multipart: Multipart,
    incoming: &Incoming,
) -> Result<Result<Intake, Upload>, ApiError> {
    let mut state = Err(upload);
    loop {
        let part = match (multipart.next_field().await, &mut state) {
            (Ok(Some(part)), _) => part,
            (Ok(None), _) => return Ok(state),
            // Before there were other parts, an upload was complete with its archive.
            (Err(_), Ok(intake)) if intake.has(FormField::File) => {
                incoming.failure();
                intake.is_cut = true;
                return Ok(state);
            }
            (Err(error), _) => return Err(broken(error).into()),
        };
        let Some(field) = wanted(&part, state.as_ref().ok()) else {
            continue;
        };
        incoming.begin_part();
        let mut intake = match state {
            Ok(intake) => intake,
            // Only now, so that an upload without a wanted part takes no permit.
            Err(upload) => ingest.begin(upload, None).await?,
        };
        take(ingest, &mut intake, part, field).await?;
        state = Ok(intake);
        incoming.end_part();
    }
}

/// The field of a part; `None` if it is unknown or has already arrived.
fn wanted(part: &Field<'_>, intake: Option<&Intake>) -> Option<FormField> {
    let field = match part.name()? {
        FILE => FormField::File,
        PATHS => FormField::Paths,
        SETTINGS => FormField::Settings,
        CHANGES => FormField::Changes,
        OWNERS => FormField::Owners,
        SOURCES => FormField::Sources,
        _ => return None,
    };
    let has_arrived = intake.is_some_and(|intake| intake.has(field));
    (!has_arrived).then_some(field)
}

/// Reads a part to its end.
async fn take(
    ingest: &Ingest,
    intake: &mut Intake,
    mut part: Field<'_>,
    field: FormField,
) -> Result<(), IngestError> {
    let body = (&mut part).map_err(broken);
    intake.take(field, ingest, body).await?;
    while part.chunk().await.map_err(broken)?.is_some() {}
    Ok(())
}

fn broken(error: MultipartError) -> IngestError {
    IngestError::Body(error.body_text())
}
