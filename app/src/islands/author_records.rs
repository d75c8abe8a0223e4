//! The records of an author, if one page does not have all of them. The headings sort: the browser fetches the first records of
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
pub(crate) use {card::card, data::Rows, row::author_row};

#[cfg(not(feature = "ssr"))]
use {card::card, data::Rows, row::author_row};

use leptos::prelude::*;

#[cfg(feature = "ssr")]
use {
    super::frame::without_hydration,
    crate::{Target, links::ReportLinks},
    data::Settings,
};

/// The name of the island in pages.
pub(super) const NAME: &str = "author_records";

/// The records as an island.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn PagedAuthorRecords(rows: Rows) -> impl IntoView {
    let Target(target) = expect_context();
    let settings = Settings {
        target,
        author: rows.query.author.to_string(),
        reports: expect_context::<ReportLinks>(),
    };
    without_hydration(NAME, &settings, paged(&rows))
}

fn paged(rows: &Rows) -> impl IntoView + use<> {
    let order = match rows.order() {
        Some(order) => {
            let shown = rows.records.len();
            format!("the first {shown} by {}", head::words(order))
        }
        None => "newest first".to_owned(),
    };
    // The number of the row: only rows with keys are filtered.
    let records = rows.records.iter().enumerate();
    let records: Vec<_> = records
        .map(|(number, record)| author_row(number.to_string(), record, rows.now))
        .collect();
    let content = view! {
        {head::head(rows)}
        <tbody>{records}</tbody>
    };
    card(rows, order, content)
}
