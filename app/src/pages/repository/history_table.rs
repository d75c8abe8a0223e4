//! The records of the chosen branch, newest first. If one page has all of them, the browser sorts its rows.

use super::Page;
use crate::{
    components::sortable::{Column, RowFilter, Sortable, change, number, percentage, text},
    islands::history::{PagedHistory, Rows, card, record_row},
};
use domain::{HistoryPlace, HistoryRow};
use leptos::{either::Either, prelude::*};

/// A card with a row for each record, and links to newer and older records.
#[component]
pub(super) fn HistoryTable(page: Page) -> impl IntoView {
    let Page { detail, query } = page;
    let rows = Rows {
        now: detail.now,
        repository: detail.repository,
        query,
        branch: detail.branch,
        history: detail.history,
    };
    let is_whole = !matches!(rows.query.place, HistoryPlace::Sorted(_))
        && rows.history.newer.is_none()
        && rows.history.older.is_none();
    if is_whole {
        Either::Left(whole(&rows))
    } else {
        Either::Right(view! { <PagedHistory rows/> })
    }
}

fn whole(rows: &Rows) -> impl IntoView + use<> {
    let sortable = Sortable::new("history", columns()).given_in("uploaded", true);
    let head = sortable.head();
    let records = sortable.sorted(&rows.history.rows).into_iter();
    let records: Vec<_> = records
        .map(|(keys, record)| record_row(Some(keys), record, rows.now))
        .collect();
    let count = rows.history.rows.len();
    let filter = view! { <RowFilter table="history" rows=count what="records"/> };
    let content = view! {
        {head}
        <tbody>{records}</tbody>
    };
    card(rows, String::new(), filter, content)
}

fn columns() -> Vec<Column<HistoryRow>> {
    vec![
        Column::fixed("Commit", ""),
        Column::new("coverage", "Coverage", "c-cov", |row| {
            percentage(Some(row.percentage))
        }),
        Column::new("change", "Change", "c-change num", |row| change(row.change)),
        Column::new("author", "Author", "c-author", |row| text(&row.author)),
        Column::largest_first("uploaded", "Uploaded", "c-time", |row| {
            number(Some(row.at.0))
        }),
        Column::fixed("Report", "c-link").unseen(),
    ]
}
