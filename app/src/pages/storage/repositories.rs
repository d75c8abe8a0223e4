//! The repositories with HTML reports. If all of them are listed, the browser sorts the rows.

use crate::{
    address::Address,
    components::sortable::{Column, RowFilter, Sortable, number, text},
    islands::stored_repositories::{FirstRepositories, Rows, card, stored_row},
    links,
};
use domain::{RepositoryStorage, Storage};
use leptos::{either::Either, prelude::*};
use std::sync::Arc;

/// A row for each repository, the largest first.
#[component]
pub(super) fn Repositories(storage: Arc<Storage>) -> impl IntoView {
    let is_whole = storage.more.repositories == 0;
    let order = Address::current().get(links::STORAGE_ORDER).parse().ok();
    let order = order.filter(|_| !is_whole);
    let (listed, more) = storage.listed(order);
    let rows = Rows {
        at: storage.at,
        total: storage.total(),
        order,
        rows: listed.to_vec(),
        more,
    };
    if is_whole {
        Either::Left(whole(&rows))
    } else {
        Either::Right(view! { <FirstRepositories rows/> })
    }
}

fn whole(rows: &Rows) -> impl IntoView + use<> {
    let sortable = Sortable::new("repositories", columns()).given_in("size", true);
    let head = sortable.head();
    let sorted = sortable.sorted(&rows.rows).into_iter();
    let sorted: Vec<_> = sorted
        .map(|(keys, each)| stored_row(Some(keys), each, rows))
        .collect();
    let count = rows.rows.len();
    let filter = view! { <RowFilter table="repositories" rows=count what="repositories"/> };
    let content = view! {
        {head}
        <tbody>{sorted}</tbody>
    };
    card(rows, filter, content)
}

fn columns() -> Vec<Column<RepositoryStorage>> {
    vec![
        Column::new("name", "Repository", "", |row: &RepositoryStorage| {
            text(&row.repository)
        }),
        Column::largest_first("size", "Size", "num", |row| number(Some(row.stored.bytes))),
        Column::fixed("Share", "num"),
        Column::largest_first("reports", "Reports", "num", |row| {
            number(Some(row.stored.reports))
        }),
        Column::new("oldest", "Oldest", "num", |row| number(Some(row.oldest.0))),
    ]
}
