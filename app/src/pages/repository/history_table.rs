//! The records of the chosen branch, newest first. If one page has all of them, the browser sorts its rows.

use super::{Page, history_card::card, history_row::record_row};
use crate::components::sortable::{
    Column, RowFilter, Sortable, change, number, percentage, text, words,
};
use domain::{HistoryPlace, HistoryRow};
use leptos::prelude::*;

/// A card with a row for each record, and links to newer and older records.
#[component]
pub(super) fn HistoryTable(page: Page) -> impl IntoView {
    let history = &page.detail.history;
    let order = match &page.query.place {
        HistoryPlace::Sorted(order) => Some(order),
        _ => None,
    };
    let is_whole = order.is_none() && history.newer.is_none() && history.older.is_none();
    let mut sortable =
        Sortable::new("history", columns(is_whole)).given_in("uploaded", true);
    if !is_whole {
        sortable = sortable.in_parts(order, &["before", "after"]);
    }
    let described = match order {
        _ if is_whole => String::new(),
        Some(order) => format!(", the first {} by {}", history.rows.len(), words(order)),
        None => ", newest first".to_owned(),
    };
    let records = sortable.sorted(&history.rows).into_iter();
    let records: Vec<_> = records
        .map(|(keys, record)| record_row(keys, record, page.detail.now))
        .collect();
    let count = history.rows.len();
    let filter = is_whole.then(|| view! { <RowFilter table="history" rows=count what="records"/> });
    let content = view! {
        {sortable.head()}
        <tbody>{records}</tbody>
    };
    card(&page, described, filter, content)
}

/// Only a whole history can be sorted by author.
fn columns(is_whole: bool) -> Vec<Column<HistoryRow>> {
    let author: fn(&HistoryRow) -> _ = |row| text(&row.author);
    vec![
        Column::fixed("Commit", ""),
        Column::new("coverage", "Coverage", "c-cov", |row| {
            percentage(Some(row.percentage))
        }),
        Column::new("change", "Change", "c-change num", |row| change(row.change)),
        match is_whole {
            true => Column::new("author", "Author", "c-author", author),
            false => Column::fixed("Author", "c-author"),
        },
        Column::largest_first("uploaded", "Uploaded", "c-time", |row| {
            number(Some(row.at.0))
        }),
        Column::fixed("Report", "c-link").unseen(),
    ]
}
