//! The addresses of a record's page, its badge and its framed HTML report.

use super::{PREVIEW, record, with, with_query};
use crate::{FilesQuery, LineRange, PartName, Percentage, RecordQuery, Timestamp, ViewName};

/// A record's page, with the comparison and the files to show.
pub fn record_page(query: &RecordQuery) -> String {
    with(&record(query.id), &query.parameters())
}

/// The files on the page of a record.
pub fn record_files(query: &RecordQuery, files: FilesQuery) -> String {
    let query = RecordQuery {
        files,
        ..query.clone()
    };
    format!("{}#files", record_page(&query))
}

/// A record's page for the files of a view.
pub fn record_view(id: i64, view: Option<&ViewName>) -> String {
    record_page(&RecordQuery {
        id,
        view: view.cloned(),
        ..RecordQuery::default()
    })
}

/// The changed lines of a record, as JSON.
pub fn changes(id: i64, view: Option<&ViewName>) -> String {
    let view = view.map(ToString::to_string);
    with_query(
        &format!("/coverages-api/records/{id}/changes"),
        &[("view", view.as_deref())],
    )
}

/// The tests of a record.
pub fn tests(id: i64) -> String {
    format!("{}/tests", record(id))
}

/// The parameter that leaves only the tests that add nothing.
pub const IDLE: &str = "idle";

/// The tests of a record whose lines other tests run too.
pub fn idle_tests(id: i64) -> String {
    with_query(&tests(id), &[(IDLE, Some("1"))])
}

/// The lines that a test of a record ran.
pub fn test(id: i64, name: &str) -> String {
    with_query(&tests(id), &[("test", Some(name))])
}

/// The page about a source file of a record.
pub fn source(id: i64, path: &str) -> String {
    source_lines(id, path, None)
}

/// The page about a source file, at some lines.
pub fn source_lines(id: i64, path: &str, lines: Option<LineRange>) -> String {
    source_in(id, path, lines, None)
}

/// The page about a source file, for a whole record or for one part. If `lines` is set, the query parameter `line` names these
/// lines, and the page marks them. The fragment (`#L7`) names the first of these lines, and the browser scrolls to it.
pub fn source_in(id: i64, path: &str, lines: Option<LineRange>, part: Option<&PartName>) -> String {
    let words = lines.map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    let parameters = [
        ("path", Some(path)),
        ("line", words.as_deref()),
        ("part", part.map(PartName::segment)),
    ];
    let page = with_query(&format!("{}/source", record(id)), &parameters);
    match lines {
        Some((first, _)) => format!("{page}#L{first}"),
        None => page,
    }
}

/// The page about a source file in the HTML report of a record, or of one of its parts, for a frame; see [`framed_report`]. The
/// page opens at the line if the tool marked the line. If the tool wrote no page about the file, the address leads to the start
/// page of the HTML report.
pub fn framed_source(id: i64, path: &str, line: Option<u32>, part: Option<&PartName>) -> String {
    about(&framed_report(id), "source", path, line, part)
}

/// A page about a source file. The query parameter with the name `parameter` has the path of the file.
pub(super) fn about(
    address: &str,
    parameter: &str,
    path: &str,
    line: Option<u32>,
    part: Option<&PartName>,
) -> String {
    let line = line.map(|line| line.to_string());
    let parameters = [
        (parameter, Some(path)),
        ("line", line.as_deref()),
        ("part", part.map(PartName::segment)),
    ];
    with_query(address, &parameters)
}

/// The parts on a record's page. `refused` is the code of a refused deletion, which the page explains.
pub fn parts(id: i64, refused: Option<&str>) -> String {
    format!("{}#parts", with_query(&record(id), &[("refused", refused)]))
}

/// Where the form that deletes a part of a record is sent.
pub fn delete_part(id: i64) -> String {
    format!("{}/parts", record(id))
}

/// The image of a link preview of a record.
pub fn preview_of_record(id: i64) -> String {
    format!("{PREVIEW}?record={id}")
}

/// The badge of a record, which caches keep forever.
pub fn record_badge(id: i64, updated_at: Timestamp, percentage: Percentage) -> String {
    let version = badge_version(updated_at, percentage);
    format!("/coverages-api/badge?record={id}&v={version}")
}

/// The version of a record's badge: `updated_at` and the percentage. A part that arrives after the record was superseded
/// changes the percentage, but not `updated_at`.
pub fn badge_version(updated_at: Timestamp, percentage: Percentage) -> String {
    format!("{}-{}", updated_at.0, percentage.basis_points())
}

/// The address of a record's HTML report, for a frame. The address is on the dashboard's own origin: the service checks there
/// who may read, and redirects to the start page of the report.
pub fn framed_report(record_id: i64) -> String {
    format!("/reports/{record_id}/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Against, FileSort, FileView};

    #[test]
    fn record_addresses_contain_only_what_differs_from_the_default() {
        let mut query = RecordQuery {
            id: 7,
            ..RecordQuery::default()
        };
        assert_eq!(record_page(&query), "/records/7");
        query.against = Against::Before;
        query.view = "folder:src".parse().ok();
        query.files = FilesQuery {
            view: FileView::Flat,
            folder: "src/a b".to_owned(),
            keyword: "tax&x".to_owned(),
            sort: FileSort::Name,
            page: 2,
        };
        assert_eq!(
            record_page(&query),
            "/records/7?against=before&view=folder%3Asrc&as=flat&dir=src%2Fa%20b&file=tax%26x&sort=name&p=2"
        );
    }
}
