//! All records of an author, if one page has them: the browser sorts its rows.

use crate::{
    components::sortable::{Column, Sortable, change, number, percentage, text},
    islands::author_records::{Rows, author_row, card},
};
use domain::AuthorRecord;
use leptos::prelude::*;
use std::cmp::Reverse;

/// A row for each record, newest first.
#[component]
pub(super) fn RecordTable(mut rows: Rows) -> impl IntoView {
    // The table's own order, which decides between rows with the same value.
    rows.records
        .sort_by_key(|row| Reverse((row.updated_at, row.record_id)));
    let sortable = Sortable::new("records", columns()).given_in("uploaded", true);
    let head = sortable.head();
    let records = sortable.sorted(&rows.records).into_iter();
    let records: Vec<_> = records
        .map(|(keys, record)| author_row(keys, record, rows.now))
        .collect();
    // The headings show the order.
    rows.query.order = None;
    let content = view! {
        {head}
        <tbody>{records}</tbody>
    };
    card(&rows, String::new(), content)
}

fn columns() -> Vec<Column<AuthorRecord>> {
    vec![
        Column::new("name", "Repository and branch", "", |row| {
            text(format!(
                "{} {} {}",
                row.repository, row.branch, row.language
            ))
        }),
        Column::fixed("Commit", "c-commit"),
        Column::new("coverage", "Coverage", "c-cov", |row| {
            percentage(Some(row.percentage))
        }),
        Column::new("change", "Change", "c-change num", |row| change(row.change)),
        Column::largest_first("uploaded", "Uploaded", "c-time", |row| {
            number(Some(row.updated_at.0))
        }),
        Column::fixed("Report", "c-link").unseen(),
    ]
}
