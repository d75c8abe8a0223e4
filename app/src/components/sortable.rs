//! Tables that are sorted by their headings. The headings are links; in the browser, `frontend/src/table.rs` moves the rows of a
//! whole table without a request, and `frontend/src/links.rs` replaces the card of a table that shows a part of its rows.

use crate::{
    address::Address,
    tables::{Key, Order, keys},
};
use domain::{Change, Percentage};
use leptos::prelude::*;

pub(crate) struct Column<R> {
    /// The name in addresses.
    name: &'static str,
    title: String,
    sorts: bool,
    class: &'static str,
    /// Whether only assistive technology gets the title.
    is_unseen: bool,
    is_descending_first: bool,
    key: fn(&R) -> Key,
}

impl<R> Column<R> {
    pub(crate) fn fixed(title: &str, class: &'static str) -> Self {
        Self {
            name: "",
            title: title.to_owned(),
            sorts: false,
            class,
            is_unseen: false,
            is_descending_first: false,
            key: |_| Key::Missing,
        }
    }

    /// A column that sorts, at first in ascending order.
    pub(crate) fn new(
        name: &'static str,
        title: &str,
        class: &'static str,
        key: fn(&R) -> Key,
    ) -> Self {
        Self {
            name,
            key,
            sorts: true,
            ..Self::fixed(title, class)
        }
    }

    pub(crate) fn unseen(self) -> Self {
        Self {
            is_unseen: true,
            ..self
        }
    }

    /// A column that sorts, at first in descending order.
    pub(crate) fn largest_first(
        name: &'static str,
        title: &str,
        class: &'static str,
        key: fn(&R) -> Key,
    ) -> Self {
        Self {
            is_descending_first: true,
            ..Self::new(name, title, class, key)
        }
    }
}

pub(crate) struct Sortable<R> {
    /// The name of the table in the address, and the id of its heading.
    table: &'static str,
    columns: Vec<Column<R>>,
    order: Option<Order>,
    /// The order in which the rows are given, if a column has it.
    given: Option<Order>,
    /// If the page shows only some of the rows: the parameters that choose these rows. A link to another order leaves them out,
    /// so it shows the first rows.
    parts: Option<&'static [&'static str]>,
}

impl<R> Sortable<R> {
    /// A table in the order that the address of the page names; in its own order by default.
    pub(crate) fn new(table: &'static str, columns: Vec<Column<R>>) -> Self {
        let order: Option<Order> = Address::current().get(table).parse().ok();
        let sorts = |order: &Order, column: &Column<R>| column.sorts && column.name == order.column;
        let order = order.filter(|order| columns.iter().any(|column| sorts(order, column)));
        Self {
            table,
            columns,
            order,
            given: None,
            parts: None,
        }
    }

    pub(crate) fn given_in(self, column: &str, is_descending: bool) -> Self {
        let given = Some(Order {
            column: column.to_owned(),
            is_descending,
        });
        Self { given, ..self }
    }

    /// The page shows only a part of the rows, in `order`, or as they are given. The server sorts, so the headings are links.
    pub(crate) fn in_parts<C: domain::Column>(
        self,
        order: Option<&domain::Order<C>>,
        parts: &'static [&'static str],
    ) -> Self {
        Self {
            order: order.and_then(|order| order.to_string().parse().ok()),
            parts: Some(parts),
            ..self
        }
    }

    /// Sorts only if all rows are on the page: sorting a part of them would mislead.
    pub(crate) fn only_if(mut self, is_whole: bool) -> Self {
        if !is_whole {
            self.order = None;
            for column in &mut self.columns {
                column.sorts = false;
            }
        }
        self
    }

    /// The rows in their order. `row` gets the value of `data-keys` for each.
    pub(crate) fn rows<'a, V>(
        &self,
        rows: impl IntoIterator<Item = &'a R>,
        row: impl Fn(String, &'a R) -> V,
    ) -> Vec<V>
    where
        R: 'a,
    {
        let mut rows: Vec<_> = rows.into_iter().enumerate().collect();
        if self.parts.is_none()
            && let Some(order) = &self.order
            && let Some(column) = self
                .columns
                .iter()
                .find(|column| column.name == order.column)
        {
            let key = column.key;
            rows.sort_by(|(_, a), (_, b)| key(a).compare(&key(b), order.is_descending));
        }
        let rows = rows.into_iter().map(|(number, shown)| {
            let sorting = self.columns.iter();
            let sorting = sorting.filter(|column| column.sorts && self.parts.is_none());
            row(
                keys(number, sorting.map(|column| (column.key)(shown))),
                shown,
            )
        });
        rows.collect()
    }

    pub(crate) fn head(&self) -> impl IntoView + use<R> {
        let address = Address::current();
        let columns = self.columns.iter();
        let cells = columns.map(|column| self.heading(column, &address));
        view! { <thead><tr>{cells.collect_view()}</tr></thead> }
    }

    fn heading(&self, column: &Column<R>, address: &Address) -> impl IntoView + use<R> {
        let class = (!column.class.is_empty()).then_some(column.class);
        let title = column.title.clone();
        let current = self.order.as_ref().or(self.given.as_ref());
        let current = current.filter(|order| order.column == column.name);
        let next = match current {
            Some(order) => order.clone().reversed(),
            None => Order {
                column: column.name.to_owned(),
                is_descending: column.is_descending_first,
            },
        };
        let sort = current.map(Order::direction);
        let title = if column.sorts {
            let is_given = self.parts.is_some() && self.given.as_ref() == Some(&next);
            let order = (!is_given).then(|| next.to_string());
            let of_server = self.parts.unwrap_or_default();
            let href = address.with(self.table, order.as_deref(), of_server);
            let href = format!("{href}#{}", self.table);
            // After the server has sorted, the focus returns to the heading, whose address has changed.
            let id = self
                .parts
                .map(|_| format!("{}-by-{}", self.table, column.name));
            let order = order.filter(|_| self.parts.is_none());
            let parts = self.parts.map(|parts| parts.join(" "));
            view! { <a class="sort" id=id href=href data-order=order data-parts=parts>{title}</a> }
                .into_any()
        } else if column.is_unseen {
            view! { <span class="unseen">{title}</span> }.into_any()
        } else if column.class == "c-cov" {
            view! { <span>{title}</span> }.into_any()
        } else {
            title.into_any()
        };
        view! { <th scope="col" class=class aria-sort=sort>{title}</th> }
    }
}

/// An order of records in a sentence.
pub(crate) fn words<C: domain::Column>(order: &domain::Order<C>) -> &'static str {
    match (order.column.name(), order.is_descending) {
        ("name", false) => "name",
        ("name", true) => "name, in reverse order",
        ("coverage", false) => "coverage, lowest first",
        ("coverage", true) => "coverage, highest first",
        ("change", false) => "change, biggest drop first",
        ("change", true) => "change, biggest rise first",
        (_, false) => "upload, oldest first",
        (_, true) => "upload, newest first",
    }
}

/// A text as a key; upper and lower case are equal.
pub(crate) fn text(text: impl ToString) -> Key {
    Key::Text(text.to_string().to_lowercase())
}

pub(crate) fn number(number: Option<impl TryInto<i64>>) -> Key {
    let number = number.and_then(|number| number.try_into().ok());
    number.map_or(Key::Missing, Key::Number)
}

pub(crate) fn percentage(percentage: Option<Percentage>) -> Key {
    number(percentage.map(Percentage::basis_points))
}

pub(crate) fn change(change: Option<Change>) -> Key {
    number(change.map(Change::basis_points))
}

/// A table with more rows than this can be filtered while typing.
const FILTERED: usize = 20;

/// A field that filters the rows of a table while the reader types, if there are many.
#[component]
pub(crate) fn RowFilter(
    table: &'static str,
    rows: usize,
    /// What the rows are, such as `groups`.
    what: &'static str,
) -> impl IntoView {
    let label = format!("Filter {what}");
    (rows > FILTERED).then(|| {
        view! {
            <span class="controls row-filter scripted">
                <span class="muted small" role="status"></span>
                <input type="search" placeholder=label.clone() aria-label=label autocomplete="off" dir="auto" data-filter=table/>
            </span>
        }
    })
}
