//! The orders of the list: a line of links, and the headings of the tables.

use super::wording;
use crate::links;
use domain::{Order, OverviewColumn, OverviewQuery, Sort};
use leptos::prelude::*;

/// Links to the orders that people use most.
#[component]
pub(super) fn Orders(query: OverviewQuery) -> impl IntoView {
    let link = |sort: Sort| {
        let current = (sort == query.sort).then_some("true");
        view! { <a href=href(&query, sort) aria-current=current data-sort=sort.to_string()>{wording::order(sort)}</a> }
    };
    let shown = [
        Sort::default(),
        Order::ascending(OverviewColumn::Coverage),
        Order::ascending(OverviewColumn::Change),
        Order::descending(OverviewColumn::Uploaded),
    ];
    view! {
        <div class="orders">
            <nav class="seg" aria-label="Order">{shown.map(link).collect_view()}</nav>
        </div>
    }
}

/// The heading of a column that sorts: by `first`, or in the reverse order if the list is sorted by `first` already.
#[component]
pub(super) fn Heading(
    query: OverviewQuery,
    /// The order that the first click selects.
    first: Sort,
    /// The title.
    #[prop(into)]
    title: String,
    /// The CSS classes of the cell.
    #[prop(optional)]
    class: &'static str,
    /// More about the column.
    #[prop(optional)]
    hint: Option<String>,
) -> impl IntoView {
    let is_current = first.column == query.sort.column;
    let next = if is_current {
        query.sort.reversed()
    } else {
        first
    };
    let direction = is_current.then_some(query.sort.direction());
    view! {
        <th scope="col" class=class title=hint aria-sort=direction>
            <a class="sort" href=href(&query, next) data-sort=next.to_string()>{title}</a>
        </th>
    }
}

/// The first page of the same list in another order.
fn href(query: &OverviewQuery, sort: Sort) -> String {
    links::overview(&OverviewQuery {
        sort,
        page: 1,
        ..query.clone()
    })
}

/// The order in words, for assistive technology.
#[cfg(feature = "hydrate")]
pub(super) fn announcement(sort: Sort) -> String {
    format!("{}.", wording::ordered(sort))
}
