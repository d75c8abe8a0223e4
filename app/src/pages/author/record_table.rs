//! The records of an author. If one page has all of them, the browser sorts its rows.

use super::{record_card::card, record_row::author_row};
use crate::components::sortable::{Column, Sortable, change, number, percentage, text, words};
use domain::{AuthorDetail, AuthorRecord};
use leptos::prelude::*;
use std::cmp::Reverse;

/// A row for each record, newest first.
#[component]
pub(super) fn RecordTable(mut detail: AuthorDetail) -> impl IntoView {
    let mut sortable = Sortable::new("records", columns()).given_in("uploaded", true);
    let order = if detail.is_whole {
        // The table's own order, which decides between rows with the same value.
        detail
            .records
            .sort_by_key(|row| Reverse((row.updated_at, row.record_id)));
        // The headings show the order.
        detail.query.order = None;
        String::new()
    } else {
        sortable = sortable.in_parts(detail.query.order.as_ref(), &["after"]);
        match &detail.query.order {
            Some(order) => format!("the first {} by {}", detail.records.len(), words(order)),
            None => "newest first".to_owned(),
        }
    };
    let records = sortable.sorted(&detail.records).into_iter();
    let records: Vec<_> = records
        .map(|(keys, record)| author_row(keys, record, detail.now))
        .collect();
    let content = view! {
        {sortable.head()}
        <tbody>{records}</tbody>
    };
    card(&detail, order, content)
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
