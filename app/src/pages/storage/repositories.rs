//! The repositories with HTML reports. If all of them are listed, the browser sorts the rows.

use super::{both, share_cell};
use crate::{
    address::Address,
    components::{
        card::{self, aside, card, note},
        measures::size,
        name::repository_link,
        sortable::{Column, RowFilter, Sortable, number, text},
        time::Age,
    },
    numbers::{counted, grouped},
};
use domain::{MoreRepositories, RepositoryStorage, Storage};
use leptos::prelude::*;

/// The name of the table.
const NAME: &str = "repositories";

/// A row for each repository, the largest first.
pub(super) fn repositories(storage: &Storage) -> AnyView {
    let is_whole = storage.more.repositories == 0;
    let order = Address::current().get(NAME).parse().ok();
    let order = order.filter(|_| !is_whole);
    let (listed, more) = storage.listed(order);
    let mut sortable = Sortable::new(NAME, columns()).given_in("size", true);
    if !is_whole {
        sortable = sortable.in_parts(order.as_ref(), &[]);
    }
    let rows = sortable.rows(listed, |keys, row| stored_row(keys, row, storage));
    let count = rows.len();
    let filter = is_whole.then(|| view! { <RowFilter table=NAME rows=count what="repositories"/> });
    let beside = view! {
        {aside("without replaced and pruned reports, whose files stay for a grace period")}
        <span class="grow"></span>
        {filter}
    };
    let content = view! {
        <table class="stored stacked" aria-labelledby="repositories" data-testid="repositories" data-sortable="repositories">
            {sortable.head()}
            <tbody>{rows}</tbody>
        </table>
        {others(more)}
    };
    card(NAME, "By repository", beside, content)
}

/// The sums of the repositories that are not listed.
fn others(more: MoreRepositories) -> Option<AnyView> {
    let sum = both(more.stored);
    let count = counted(
        more.repositories,
        "more repository has",
        "more repositories have",
    );
    (more.repositories > 0).then(|| note(format!("{count} {sum}.")))
}

fn stored_row(keys: String, row: &RepositoryStorage, storage: &Storage) -> impl IntoView + use<> {
    let (stored, now) = (row.stored, storage.at);
    view! {
        <tr data-keys=keys>
            <th scope="row">{repository_link(&row.repository, true)}</th>
            {card::number("Size", size(stored.bytes))}
            {share_cell(stored.share_of(storage.total()))}
            {card::number("Reports", grouped(stored.reports))}
            {card::number("Oldest", view! { <Age at=row.oldest now/> })}
        </tr>
    }
}

fn columns() -> Vec<Column<RepositoryStorage>> {
    vec![
        Column::new("name", "Repository", "", |row: &RepositoryStorage| {
            text(&row.repository)
        }),
        Column::largest_first("size", "Size", "num", |row| number(Some(row.stored.bytes))),
        Column::fixed("Share", "c-cov"),
        Column::largest_first("reports", "Reports", "num", |row| {
            number(Some(row.stored.reports))
        }),
        Column::new("oldest", "Oldest", "num", |row| number(Some(row.oldest.0))),
    ]
}
