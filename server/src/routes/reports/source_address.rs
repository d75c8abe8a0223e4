//! Addresses in reports that a request names: the page about one source file, and `/reports/{id}/parts/{part}/…`, the HTML report of
//! a part of a record.

use super::{file_request::FileRequest, located::Serving};
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

/// Returns the address of the version that a path names, if it begins with `parts/`, and the record has this part with an HTML
/// report. `None`: the path is in the record's own HTML report, which may have a folder of this name.
pub(super) async fn of_part(
    serving: &Serving,
    id: &str,
    path: &str,
) -> Result<Option<String>, ApiError> {
    let Some((name, rest)) = part_of(path) else {
        return Ok(None);
    };
    let Ok(number) = id.parse() else {
        return Ok(None);
    };
    let everything = serving.store.everything();
    let stored = everything.part_report(number, &name).await?;
    Ok(stored.map(|stored| {
        let page = match rest {
            "" => stored.start_page.unwrap_or_default(),
            rest => rest.to_owned(),
        };
        serving.versioned_address(number, serving.version(&stored.key), &page)
    }))
}

/// The part that a path names, and the rest of the path.
fn part_of(path: &str) -> Option<(PartName, &str)> {
    let path = path.strip_prefix("parts/")?;
    let (name, rest) = path.split_once('/').unwrap_or((path, ""));
    Some((PartName::of_segment(name).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_a_part_and_a_page_of_it() {
        let part = |path| part_of(path).map(|(name, rest)| (name.segment().to_owned(), rest));
        let of = |name: &str, rest| Some((name.to_owned(), rest));
        assert_eq!(part("parts/e2e/"), of("e2e", ""));
        assert_eq!(part("parts/e2e"), of("e2e", ""));
        assert_eq!(part("parts/-/src/a.html"), of("-", "src/a.html"));
        assert_eq!(part("parts/A/x"), None);
        assert_eq!(part("parts/"), None);
        assert_eq!(part("src/parts/e2e/"), None);
    }
}
