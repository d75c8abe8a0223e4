//! The table of files and folders.

use crate::{
    components::{
        coverage::{Coverage, Percent},
        measures::files_in_words,
        name::Name,
        sortable::{Column, RowFilter, Sortable, number, percentage, text},
    },
    links,
    numbers::{covered_of, grouped},
};
use domain::{Count, FileListing, FileRow, FileSort, FileView, RecordQuery, heading};
use leptos::prelude::*;

pub(super) const NAME: &str = "files";

pub(super) fn table(query: &RecordQuery, listing: &FileListing) -> impl IntoView + use<> {
    let has_branches = listing.folder.branches.total > 0;
    let sort = query.files.sort;
    let is_descending = matches!(sort, FileSort::Uncovered | FileSort::Lines);
    let sortable = Sortable::new(NAME, columns(&heading(&listing.counter), has_branches))
        .given_in(sort.word(), is_descending)
        .only_if(listing.pages == 1);
    let rows = sortable.rows(&listing.rows, |keys, row| {
        table_row(keys, query, row, has_branches)
    });
    let filtered = if listing.pages == 1 {
        listing.rows.len()
    } else {
        0
    };
    view! {
        <RowFilter table=NAME rows=filtered what="these files"/>
        <table class="files" data-testid="files" data-sortable=NAME>
            <caption class="unseen">"Files with their coverage"</caption>
            {sortable.head()}
            <tbody>{rows}</tbody>
        </table>
    }
}

fn columns(lines: &str, has_branches: bool) -> Vec<Column<FileRow>> {
    let mut columns = vec![
        // Folders first.
        Column::new("name", "File", "", |row: &FileRow| {
            let kind = if row.files.is_some() { "0" } else { "1" };
            text(format!("{kind}{}", row.path))
        }),
        Column::new("coverage", "Coverage", "c-cov", |row| {
            percentage(row.percentage())
        }),
        Column::largest_first("uncovered", "Missed", "num c-count", |row| {
            number(Some(row.lines.uncovered()))
        }),
        Column::largest_first("covered", "Covered", "num c-count", |row| {
            number(Some(row.lines.covered))
        }),
        Column::largest_first("lines", lines, "num c-count", |row| {
            number(Some(row.lines.total))
        }),
    ];
    if has_branches {
        columns.push(Column::new("branches", "Branches", "num c-count", |row| {
            let any = (row.branches.total > 0).then_some(row.branches);
            percentage(any.map(Count::percentage))
        }));
    }
    columns
}

fn table_row(
    keys: String,
    query: &RecordQuery,
    row: &FileRow,
    has_branches: bool,
) -> impl IntoView + use<> {
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
        <tr data-keys=keys>
            <th scope="row">{name(query, row)}</th>
            <td class="c-cov">{coverage}</td>
            {count(lines.uncovered(), "missed")}
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
            let href = super::link(query, |files| files.folder = row.path.clone());
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
        None => {
            let href = links::source(query.id, &row.path);
            view! { <a href=href><Name text=name.to_owned() class="mono name"/></a> }.into_any()
        }
    }
}

fn branches(count: Count) -> AnyView {
    match count.total {
        0 => view! { <span class="muted">"–"</span> }.into_any(),
        _ => {
            let title = format!("{} branches covered", covered_of(count));
            view! { <span title=title>{count.percentage().to_string()}<Percent/><span class="what">" of branches"</span></span> }.into_any()
        }
    }
}
