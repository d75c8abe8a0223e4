//! The page of a report about one source file.

use super::{file_request::FileRequest, serving::Serving};
use crate::{http::error::ApiError, reports::ReportsError, routes::parameters::Parameters};

/// The maximum length of a path in bytes: no path is longer.
const MAX_PATH_BYTES: usize = 4_096;

/// Returns the path of the source file in the query of a request, if there is one.
pub(super) fn named(request: &FileRequest) -> Option<String> {
    let parameters = Parameters::of(request.query()).ok()?;
    let path = parameters.text("source")?;
    (path.len() <= MAX_PATH_BYTES).then(|| path.to_owned())
}

/// Returns the address of the page about the source file, or of the start page if the tool wrote none.
pub(super) async fn address(serving: &Serving, id: &str, path: &str) -> Result<String, ApiError> {
    let (_, stored) = serving.find(id).await?;
    let start_page = stored.start_page.unwrap_or_default();
    let (id, version, _, object) = serving.open(id, None).await?;
    let path = path.to_owned();
    let search = move || {
        let page = object.page_of(&path, &start_page)?;
        Ok(page.unwrap_or(start_page))
    };
    let page: Result<String, ReportsError> = serving
        .threads()
        .run(search)
        .await
        .map_err(|error| ApiError::unavailable(&error))?;
    Ok(serving.versioned_address(id, version, &page?))
}
