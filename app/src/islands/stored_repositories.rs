//! The repositories with HTML reports, if not all of them are listed. The headings sort: the browser fetches the first
//! repositories in another order as JSON, and renders them by the same code as the server. Until then it keeps what the server
//! rendered.

mod card;
mod data;
mod head;
mod row;
#[cfg(test)]
mod tests;
mod wording;

#[cfg(feature = "hydrate")]
mod sorted;

#[cfg(feature = "hydrate")]
pub(super) use sorted::show;
#[cfg(feature = "ssr")]
pub(crate) use {
    card::card,
    data::Rows,
    row::stored_row,
    wording::{both, reports, share},
};

#[cfg(not(feature = "ssr"))]
use {card::card, data::Rows, row::stored_row};

use leptos::prelude::*;

#[cfg(feature = "ssr")]
use super::frame::without_hydration;

/// The name of the island in pages.
pub(super) const NAME: &str = "stored_repositories";

/// The repositories as an island.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn FirstRepositories(rows: Rows) -> impl IntoView {
    without_hydration(NAME, &(), paged(&rows))
}

fn paged(rows: &Rows) -> impl IntoView + use<> {
    let listed = rows.rows.iter();
    let listed: Vec<_> = listed.map(|row| stored_row(None, row, rows)).collect();
    let content = view! {
        {head::head(rows)}
        <tbody>{listed}</tbody>
    };
    card(rows, (), content)
}
