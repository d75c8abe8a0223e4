//! What is counted, and the orders of the list: a line of links, the headings of the tables, and their words.

use crate::{
    components::form::{choice, labelled},
    links,
};
use domain::{Order, OverviewColumn, OverviewQuery, Sort, StatedMetric};
use leptos::prelude::*;

/// Links to the metrics, and to the orders that people use most.
pub(super) fn orders(query: &OverviewQuery) -> impl IntoView + use<> {
    let links = [
        (Sort::default(), "Name"),
        (Order::ascending(OverviewColumn::Coverage), "Lowest"),
        (Order::ascending(OverviewColumn::Change), "Biggest drop"),
        (Order::descending(OverviewColumn::Uploaded), "Recent"),
    ];
    let links = links.map(|(sort, name)| choice(href(query, sort), sort == query.sort, name));
    let metrics = StatedMetric::ALL.iter().map(|&metric| {
        let href = links::overview(&OverviewQuery {
            metric,
            page: 1,
            ..query.clone()
        });
        choice(href, metric == query.metric, metric.label())
    });
    view! { <div class="controls orders">{labelled("Measure", metrics)}{labelled("Sort by", links)}</div> }
}

/// The heading of a column that sorts: by `first`, or in the reverse order if the list is sorted by `first` already.
pub(super) fn heading(
    query: &OverviewQuery,
    first: Sort,
    title: String,
    class: &'static str,
    hint: Option<String>,
) -> impl IntoView + use<> {
    let is_current = first.column == query.sort.column;
    let next = if is_current {
        query.sort.reversed()
    } else {
        first
    };
    let direction = is_current.then_some(query.sort.direction());
    view! {
        <th scope="col" class=class title=hint aria-sort=direction>
            <a class="sort" href=href(query, next)>{title}</a>
        </th>
    }
}

fn href(query: &OverviewQuery, sort: Sort) -> String {
    links::overview(&OverviewQuery {
        sort,
        page: 1,
        ..query.clone()
    })
}

/// The heading of an ungrouped list in this order.
pub(super) fn ordered(sort: Sort) -> &'static str {
    match (sort.column, sort.is_descending) {
        (OverviewColumn::Name, false) => "Repositories by name",
        (OverviewColumn::Name, true) => "Repositories by name, from the end",
        (OverviewColumn::Coverage, false) => "Repositories, lowest coverage first",
        (OverviewColumn::Coverage, true) => "Repositories, highest coverage first",
        (OverviewColumn::Change, false) => "Repositories, biggest drop of the week first",
        (OverviewColumn::Change, true) => "Repositories, biggest rise of the week first",
        (OverviewColumn::Uploaded, true) => "Repositories, last upload first",
        (OverviewColumn::Uploaded, false) => "Repositories, oldest upload first",
    }
}
