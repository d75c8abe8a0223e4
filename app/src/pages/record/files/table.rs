//! The table of files and folders.

use super::to;
use crate::{
    components::{
        coverage::{Coverage, Percent},
        measures::files_in_words,
        name::Name,
    },
    numbers::grouped,
};
use domain::{Count, FileListing, FileRow, FileSort, FileView, FilesQuery, RecordQuery, heading};
use leptos::prelude::*;

pub(super) fn table(query: &RecordQuery, listing: &FileListing) -> impl IntoView + use<> {
    let sort = query.files.sort;
    let sorted = |by: FileSort, order: &'static str| (sort == by).then_some(order);
    let has_branches = listing.folder.branches.total > 0;
    let lines = heading(&listing.counter);
    let rows = listing
        .rows
        .iter()
        .map(|row| table_row(query, row, has_branches))
        .collect_view();
    view! {
        <table class="files" data-testid="files">
            <caption class="unseen">"Files with their coverage"</caption>
            <thead>
                <tr>
                    <th scope="col" aria-sort=sorted(FileSort::Name, "ascending")>"File"</th>
                    <th scope="col" class="c-cov" aria-sort=sorted(FileSort::Coverage, "ascending")>"Coverage"</th>
                    <th scope="col" class="num c-count" aria-sort=sorted(FileSort::Uncovered, "descending")>"Uncovered"</th>
                    <th scope="col" class="num c-count">"Covered"</th>
                    <th scope="col" class="num c-count" aria-sort=sorted(FileSort::Lines, "descending")>{lines}</th>
                    {has_branches.then(|| view! { <th scope="col" class="num c-count">"Branches"</th> })}
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

fn table_row(query: &RecordQuery, row: &FileRow, has_branches: bool) -> impl IntoView + use<> {
    let lines = row.lines;
    let coverage = match row.percentage() {
        Some(percentage) => view! { <Coverage percentage lines=Some(lines)/> }.into_any(),
        None => view! { <span class="muted">"nothing to cover"</span> }.into_any(),
    };
    // On phones the columns have no headings.
    let count = |number: u64, what: &'static str| {
        view! { <td class="num c-count">{grouped(number)}<span class="what">" "{what}</span></td> }
    };
    view! {
        <tr>
            <th scope="row">{name(query, row)}</th>
            <td class="c-cov">{coverage}</td>
            {count(lines.uncovered(), "uncovered")}
            {count(lines.covered, "covered")}
            {count(lines.total, "in all")}
            {has_branches.then(|| view! { <td class="num c-count">{branches(row.branches)}</td> })}
        </tr>
    }
}

/// The name of a row; a folder links to its content.
fn name(query: &RecordQuery, row: &FileRow) -> AnyView {
    let name = match query.files.view {
        FileView::Folders if query.files.keyword.is_empty() => row.name_in(&query.files.folder),
        _ => &row.path,
    };
    match row.files {
        Some(files) => {
            let href = to(
                query,
                FilesQuery {
                    folder: row.path.clone(),
                    page: 1,
                    ..query.files.clone()
                },
            );
            let files = files_in_words(u64::from(files));
            view! {
                <a class="folder" href=href><Name text=format!("{name}/") class="mono name"/></a>
                <span class="chip">{files}</span>
            }
            .into_any()
        }
        None if name.is_empty() => {
            view! { <span class="muted">"a file without a name"</span> }.into_any()
        }
        None => view! { <Name text=name.to_owned() class="mono"/> }.into_any(),
    }
}

fn branches(count: Count) -> AnyView {
    match count.total {
        0 => view! { <span class="muted">"–"</span> }.into_any(),
        _ => {
            let title = format!(
                "{} of {} branches covered",
                grouped(count.covered),
                grouped(count.total)
            );
            view! { <span title=title>{count.percentage().to_string()}<Percent/><span class="what">" of branches"</span></span> }.into_any()
        }
    }
}
