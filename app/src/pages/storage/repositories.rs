//! The repositories with the most bytes of HTML reports.

use super::{both, share};
use crate::{
    components::{
        measures::size,
        name::repository_link,
        sortable::{Column, RowFilter, Sortable, number, text},
        time::Age,
    },
    numbers::grouped,
};
use domain::{RepositoryStorage, Storage, Stored, Timestamp};
use leptos::prelude::*;
use std::sync::Arc;

/// A row for each repository, the largest first.
#[component]
pub(super) fn Repositories(storage: Arc<Storage>) -> impl IntoView {
    let (all, more, total) = (&storage.repositories, storage.more, storage.total());
    let sortable = Sortable::new("repositories", columns())
        .given_in("size", true)
        .only_if(more.repositories == 0);
    let rows = sortable
        .sorted(all)
        .into_iter()
        .map(|(keys, each)| row(keys, each, total, storage.at))
        .collect_view();
    // A filter would not find the others.
    let filtered = if more.repositories == 0 { all.len() } else { 0 };
    let more = (more.repositories > 0).then(|| {
        let text = match more.repositories {
            1 => format!("1 more repository has {}.", both(more.stored)),
            count => format!(
                "{} more repositories have {}.",
                grouped(count),
                both(more.stored)
            ),
        };
        view! { <p class="muted small note">{text}</p> }
    });
    view! {
        <section class="card" aria-labelledby="repositories">
            <div class="head">
                <h2 id="repositories">"By repository"</h2>
                <span class="muted small">"without reports in the grace period"</span>
                <span class="grow"></span>
                <RowFilter table="repositories" rows=filtered what="repositories"/>
            </div>
            <table class="stored stacked" aria-labelledby="repositories" data-testid="repositories" data-sortable="repositories">
                {sortable.head()}
                <tbody>{rows}</tbody>
            </table>
            {more}
        </section>
    }
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

fn row(
    keys: String,
    each: &RepositoryStorage,
    total: Stored,
    now: Timestamp,
) -> impl IntoView + use<> {
    let stored = each.stored;
    view! {
        <tr data-keys=keys>
            <th scope="row">{repository_link(&each.repository, true)}</th>
            <td class="num" data-label="Size">{size(stored.bytes)}</td>
            <td class="num" data-label="Share">{share(stored.share_of(total))}</td>
            <td class="num" data-label="Reports">{grouped(stored.reports)}</td>
            <td class="num" data-label="Oldest"><Age at=each.oldest now/></td>
        </tr>
    }
}
