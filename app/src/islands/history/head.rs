//! The headings of a history of several pages: links to the first page in another order.

use super::data::Rows;
use domain::{
    HistoryOrder::{self, Drop, Highest, Lowest, Oldest, Rise},
    HistoryPlace::{self, Newest, Sorted},
};
use leptos::prelude::*;

pub(super) fn head(rows: &Rows) -> impl IntoView + use<> {
    view! {
        <thead>
            <tr>
                <th scope="col">"Commit"</th>
                {heading(rows, "Coverage", "c-cov", [Sorted(Lowest), Sorted(Highest)])}
                {heading(rows, "Change", "c-change num", [Sorted(Drop), Sorted(Rise)])}
                <th scope="col" class="c-author">"Author"</th>
                {heading(rows, "Uploaded", "c-time", [Sorted(Oldest), Newest])}
                <th scope="col" class="c-link"><span class="unseen">"Report"</span></th>
            </tr>
        </thead>
    }
}

/// A heading that sorts in ascending order, or in descending order if the history is ascending already.
fn heading(
    rows: &Rows,
    title: &'static str,
    class: &'static str,
    [ascending, descending]: [HistoryPlace; 2],
) -> impl IntoView + use<> {
    let place = rows.query.place;
    let (sort, next) = if place == ascending {
        (Some("ascending"), descending)
    } else if place == descending {
        (Some("descending"), ascending)
    } else {
        (None, ascending)
    };
    // The focus stays at the heading, whose address changes.
    let id = format!("by-{}", title.to_ascii_lowercase());
    view! {
        <th scope="col" class=class aria-sort=sort>
            <a class="sort" id=id href=rows.link(next) data-place="">{title}</a>
        </th>
    }
}

pub(super) fn words(order: HistoryOrder) -> &'static str {
    match order {
        Oldest => "upload, oldest first",
        Lowest => "coverage, lowest first",
        Highest => "coverage, highest first",
        Drop => "change, biggest drop first",
        Rise => "change, biggest rise first",
    }
}

/// The order of a page in a sentence, for assistive technology.
#[cfg(feature = "hydrate")]
pub(super) fn announcement(place: HistoryPlace) -> String {
    match place {
        Sorted(order) => format!("History by {}.", words(order)),
        _ => "History, newest first.".to_owned(),
    }
}
