//! The headings of a table that shows only a part of its rows: links to the first rows in another order.

use domain::{ListColumn, ListOrder};
use leptos::prelude::*;

/// How a table is sorted, and where its headings lead.
pub(super) struct Headings<'a, C> {
    /// The name of the table in the address, and the id of its heading.
    pub(super) table: &'static str,
    pub(super) order: Option<ListOrder<C>>,
    /// The default order, if a column has it. No address names it.
    pub(super) given: Option<ListOrder<C>>,
    /// The address of the first rows in an order.
    pub(super) link: &'a dyn Fn(Option<ListOrder<C>>) -> String,
}

impl<C: ListColumn> Headings<'_, C> {
    /// A heading that sorts in the order `first`, or in the other direction if the table is sorted by this column already.
    pub(super) fn heading(
        &self,
        first: ListOrder<C>,
        title: &'static str,
        class: &'static str,
    ) -> impl IntoView + use<C> {
        let current = self.order.or(self.given);
        let current = current.filter(|order| order.column == first.column);
        let next = current.map_or(first, ListOrder::reversed);
        let href = (self.link)(Some(next).filter(|next| Some(*next) != self.given));
        let href = format!("{href}#{}", self.table);
        // The focus stays at the heading, whose address changes.
        let id = format!("{}-by-{}", self.table, first.column.name());
        view! {
            <th scope="col" class=class aria-sort=current.map(ListOrder::direction)>
                <a class="sort" id=id href=href data-place="">{title}</a>
            </th>
        }
    }
}

/// The heading of a column that does not sort.
pub(super) fn fixed(title: &'static str, class: &'static str) -> impl IntoView {
    view! { <th scope="col" class=class>{title}</th> }
}

/// The heading of the column of HTML reports, which only assistive technology reads.
pub(super) fn report() -> impl IntoView {
    view! { <th scope="col" class="c-link"><span class="unseen">"Report"</span></th> }
}

/// The order in a sentence, for assistive technology.
#[cfg(feature = "hydrate")]
pub(super) fn announcement<C: ListColumn>(order: ListOrder<C>, title: &str) -> String {
    format!("Sorted by {title}, {}.", order.direction())
}

/// The selector of the heading that gets the focus after the table is rendered again.
#[cfg(feature = "hydrate")]
pub(super) fn same(focused: &web_sys::Element) -> String {
    match focused.id() {
        id if id.is_empty() => "[aria-sort] .sort".to_owned(),
        id => format!("#{id}"),
    }
}
