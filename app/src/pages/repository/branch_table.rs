//! The current record of every branch and language. If one page has all of them, the browser sorts its rows.

use super::{
    Page,
    branch_card::{card, filter},
    branch_row::branch_row,
};
use crate::components::sortable::{Column, RowFilter, Sortable, change, number, percentage, text};
use domain::BranchRow;
use leptos::{either::Either, prelude::*};
use std::cmp::Reverse;

/// A card with a row for each branch and language; a branch's name links to the page for that branch.
#[component]
pub(super) fn BranchTable(mut page: Page) -> impl IntoView {
    let mut sortable = Sortable::new("branches", columns());
    let is_whole = page.detail.branches.pages == 1;
    if is_whole {
        // The table's own order, which decides between rows with the same value.
        let main = page.detail.main_branch.clone();
        page.detail.branches.rows.sort_by_key(|row| {
            let is_other = row.branch != main;
            (is_other, Reverse((row.updated_at, row.record_id)))
        });
    } else {
        sortable = sortable.in_parts(page.query.branches.as_ref(), &["p"]);
    }
    let sorted = sortable.sorted(&page.detail.branches.rows).into_iter();
    let sorted: Vec<_> = sorted
        .map(|(keys, row)| branch_row(keys, row, &page))
        .collect();
    let filter = if is_whole && page.query.keyword.is_empty() {
        let count = page.detail.branches.rows.len();
        Either::Left(view! { <RowFilter table="branches" rows=count what="branches"/> })
    } else {
        Either::Right(filter(&page))
    };
    let content = view! {
        {sortable.head()}
        <tbody>{sorted}</tbody>
    };
    card(&page, filter, content)
}

fn columns() -> Vec<Column<BranchRow>> {
    vec![
        Column::new("name", "Branch", "", |row| {
            text(format!("{} {}", row.branch, row.language))
        }),
        Column::new("coverage", "Coverage", "c-cov", |row| {
            percentage(Some(row.percentage))
        }),
        Column::new("change", "Against base", "c-change num", |row| {
            change(row.against_base.map(|(_, change)| change))
        }),
        Column::fixed("Commit", "c-commit"),
        Column::new("author", "Author", "c-author", |row| text(&row.author)),
        Column::largest_first("uploaded", "Uploaded", "c-time", |row| {
            number(Some(row.updated_at.0))
        }),
        Column::fixed("Report", "c-link").unseen(),
    ]
}
