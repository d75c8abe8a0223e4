//! The current record of every branch and language. If one page has all of them, the browser sorts its rows.

use super::Page;
use crate::{
    components::sortable::{Column, RowFilter, Sortable, change, number, percentage, text},
    islands::branches::{PagedBranches, Rows, branch_row, card, filter},
};
use domain::BranchRow;
use leptos::{either::Either, prelude::*};
use std::cmp::Reverse;

/// A card with a row for each branch and language; a branch's name links to the page for that branch.
#[component]
pub(super) fn BranchTable(page: Page) -> impl IntoView {
    let Page { detail, query } = page;
    let rows = Rows {
        now: detail.now,
        repository: detail.repository,
        query,
        branch: detail.branch,
        main_branch: detail.main_branch,
        branches: detail.branches,
    };
    if rows.branches.pages == 1 {
        Either::Left(whole(rows))
    } else {
        Either::Right(view! { <PagedBranches rows/> })
    }
}

fn whole(mut rows: Rows) -> impl IntoView {
    // The table's own order, which decides between rows with the same value.
    let main = rows.main_branch.clone();
    rows.branches.rows.sort_by_key(|row| {
        let is_other = row.branch != main;
        (is_other, Reverse((row.updated_at, row.record_id)))
    });
    let sortable = Sortable::new("branches", columns());
    let head = sortable.head();
    let sorted = sortable.sorted(&rows.branches.rows).into_iter();
    let sorted: Vec<_> = sorted
        .map(|(keys, row)| branch_row(Some(keys), row, &rows))
        .collect();
    let filter = if rows.query.keyword.is_empty() {
        let count = rows.branches.rows.len();
        Either::Left(view! { <RowFilter table="branches" rows=count what="branches"/> })
    } else {
        Either::Right(filter(&rows))
    };
    let content = view! {
        {head}
        <tbody>{sorted}</tbody>
    };
    card(&rows, filter, content)
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
