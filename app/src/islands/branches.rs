//! The branches of a repository, if one page does not have all of them. The headings sort: the browser fetches the first page in
//! another order as JSON, and renders it by the same code as the server. Until then it keeps what the server rendered.

mod card;
mod data;
mod head;
mod row;
#[cfg(test)]
mod tests;

#[cfg(feature = "hydrate")]
mod sorted;

#[cfg(feature = "hydrate")]
pub(super) use sorted::show;
#[cfg(feature = "ssr")]
pub(crate) use {
    card::{card, filter},
    data::Rows,
    row::{branch_row, download_label},
};

#[cfg(not(feature = "ssr"))]
use {
    card::{card, filter},
    data::Rows,
    row::branch_row,
};

use leptos::prelude::*;

#[cfg(feature = "ssr")]
use {
    super::frame::without_hydration,
    crate::{Target, links::ReportLinks},
    data::Settings,
};

/// The name of the island in pages.
pub(super) const NAME: &str = "branches";

/// The branches as an island.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn PagedBranches(rows: Rows) -> impl IntoView {
    let Target(target) = expect_context();
    let settings = Settings {
        target,
        repository: rows.repository.to_string(),
        branch: rows.branch.to_string(),
        reports: expect_context::<ReportLinks>(),
    };
    without_hydration(NAME, &settings, paged(&rows))
}

fn paged(rows: &Rows) -> impl IntoView + use<> {
    let branches = rows.branches.rows.iter();
    let branches: Vec<_> = branches.map(|row| branch_row(None, row, rows)).collect();
    let content = view! {
        {head::head(rows)}
        <tbody>{branches}</tbody>
    };
    card(rows, filter(rows), content)
}
