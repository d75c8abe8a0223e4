//! The page of a report about one source file.

use super::{file_request::FileRequest, serving::Serving};
use crate::{http::error::ApiError, routes::parameters::Parameters};
use domain::PartName;
use objects::ReportsError;

/// The maximum length of a path in bytes: no path is longer.
const MAX_PATH_BYTES: usize = 4_096;

/// A source file that a request names.
#[derive(Clone)]
pub(super) struct SourceFile {
    path: String,
    line: Option<u32>,
    /// The part whose report is searched; `None` for the record's own report.
    part: Option<PartName>,
}

/// Returns the source file in the query of a request, if there is one.
pub(super) fn named(request: &FileRequest) -> Option<SourceFile> {
    let parameters = Parameters::of(request.uri.query()).ok()?;
    let path = parameters.text("source")?;
    let line = parameters.text("line").and_then(|line| line.parse().ok());
    let part = parameters.text("part");
    let part = part.and_then(|part| PartName::of_segment(part).ok());
    (path.len() <= MAX_PATH_BYTES).then(|| SourceFile {
        path: path.to_owned(),
        line,
        part,
    })
}

/// Returns the address of the page about the source file, at its line if the tool marked it, or of the start page if the report
/// has no such page.
pub(super) async fn address(
    serving: &Serving,
    id: &str,
    SourceFile { path, line, part }: SourceFile,
) -> Result<String, ApiError> {
    let (number, stored) = serving.find(id).await?;
    let of_part = match &part {
        Some(part) => serving.store.everything().part_report(number, part).await?,
        None => None,
    };
    let wanted = of_part.as_ref().map(|report| serving.version(&report.key));
    let start_page = of_part.unwrap_or(stored).start_page.unwrap_or_default();
    let opened = serving.open(id, wanted).await?;
    let object = opened.object;
    let search = move || {
        let page = object.page_of(&path, &start_page)?;
        let anchor = match page.as_deref().zip(line) {
            Some((page, line)) => object.anchor(page, line)?,
            None => None,
        };
        Ok::<_, ReportsError>((page.unwrap_or(start_page), anchor))
    };
    let (page, anchor) = serving.reports.threads().run(search).await??;
    let anchor = anchor.map(|anchor| format!("#{anchor}"));
    let address = serving.versioned_address(opened.id, opened.version, &page);
    Ok(address + &anchor.unwrap_or_default())
}
