//! The records of a branch, if one page does not have all of them. The headings sort: the browser fetches the first records of
//! another order as JSON, and renders them by the same code as the server. Until then it keeps what the server rendered.

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
pub(crate) use {card::card, data::Rows, row::record_row};

#[cfg(not(feature = "ssr"))]
use {card::card, data::Rows, row::record_row};

use domain::HistoryPlace;
use leptos::prelude::*;

#[cfg(feature = "ssr")]
use {
    super::frame::without_hydration,
    crate::{Target, links::ReportLinks},
    data::Settings,
};

/// The name of the island in pages.
pub(super) const NAME: &str = "history";

/// The records as an island.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn PagedHistory(rows: Rows) -> impl IntoView {
    let Target(target) = expect_context();
    let settings = Settings {
        target,
        repository: rows.repository.to_string(),
        reports: expect_context::<ReportLinks>(),
    };
    without_hydration(NAME, &settings, paged(&rows))
}

fn paged(rows: &Rows) -> impl IntoView + use<> {
    let order = match rows.query.place {
        HistoryPlace::Sorted(order) => {
            let shown = rows.history.rows.len();
            format!(", the first {shown} by {}", head::words(order))
        }
        _ => ", newest first".to_owned(),
    };
    let records = rows.history.rows.iter();
    let records: Vec<_> = records
        .map(|record| record_row(None, record, rows.now))
        .collect();
    card(
        rows,
        order,
        (),
        (head::head(rows), view! { <tbody>{records}</tbody> }),
    )
}
