//! The files of the record beside a source file, as folders that open.

use crate::{
    components::{coverage::Percent, name::Name},
    links,
    numbers::grouped,
};
use domain::{Count, FileRow, Percentage, SourceDetail, SourceFiles};
use leptos::prelude::*;

/// The files; `None` if no others are known.
pub(super) fn tree(detail: &SourceDetail) -> Option<AnyView> {
    let SourceFiles { rows, count } = &detail.files;
    let (id, path) = (detail.query.id, detail.query.path.as_str());
    let all = (rows.len() < *count as usize).then(|| {
        let all = format!("All {} files", grouped((*count).into()));
        view! { <p><a class="link" href=format!("{}#files", links::record(id))>{all}</a></p> }
    });
    let of_all = detail.query.part.as_ref();
    let of_all = of_all.map(|_| view! { <p class="muted small">"Coverage of all parts"</p> });
    (!rows.is_empty()).then(|| {
        view! {
            <details class="card tree">
                <summary>"Files"</summary>
                <nav aria-label="Files of the record">
                    {of_all}
                    {folder(rows, "", id, path)}
                    {all}
                </nav>
            </details>
        }
        .into_any()
    })
}

/// The content of a folder. `rows` are the files below `prefix`, by path. Folders come first.
fn folder(rows: &[FileRow], prefix: &str, id: i64, current: &str) -> AnyView {
    let name = |row: &FileRow| row.path.get(prefix.len()..).unwrap_or_default().to_owned();
    let first = |row: &FileRow| name(row).split_once('/').map(|(first, _)| first.to_owned());
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    for group in rows.chunk_by(|one, other| first(one).is_some() && first(one) == first(other)) {
        match first(&group[0]) {
            Some(_) => folders.push(inner(group, prefix, id, current)),
            None => files.extend(group.iter().map(|row| file(row, name(row), id, current))),
        }
    }
    view! { <ul>{folders}{files}</ul> }.into_any()
}

/// A folder. Folders that contain only one folder are one row.
fn inner(rows: &[FileRow], prefix: &str, id: i64, current: &str) -> AnyView {
    let common = common_folder(rows);
    // A path may have empty names.
    let common = if common.len() > prefix.len() {
        common
    } else {
        prefix
    };
    let is_open = current.starts_with(common);
    let name = common[prefix.len()..].to_owned();
    let sum = rows
        .iter()
        .fold(Count::default(), |sum, row| sum.plus(row.lines));
    view! {
        <li>
            <details open=is_open>
                <summary><Name text=name/>{percentage(sum)}</summary>
                {folder(rows, common, id, current)}
            </details>
        </li>
    }
    .into_any()
}

fn file(row: &FileRow, name: String, id: i64, current: &str) -> AnyView {
    let current = (row.path == current).then_some("page");
    let href = links::source(id, &row.path);
    view! { <li><a href=href aria-current=current><Name text=name/>{percentage(row.lines)}</a></li> }
        .into_any()
}

fn percentage(count: Count) -> Option<AnyView> {
    let percentage = Percentage::of(count)?;
    Some(view! { <span>{percentage.to_string()}<Percent/></span> }.into_any())
}

/// The longest folder, with its `/`, that all paths start with. They are sorted, so that the first and the last differ most.
fn common_folder(rows: &[FileRow]) -> &str {
    let [first, ..] = rows else { return "" };
    let last = rows.last().map_or("", |row| row.path.as_str());
    let pairs = first.path.bytes().zip(last.bytes());
    let same = pairs.take_while(|(one, other)| one == other).count();
    match first.path.as_bytes()[..same]
        .iter()
        .rposition(|byte| *byte == b'/')
    {
        Some(at) => &first.path[..=at],
        None => "",
    }
}
