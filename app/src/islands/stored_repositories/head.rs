//! The headings of the first repositories with HTML reports.

use super::data::Rows;
use crate::{
    islands::headings::{Headings, fixed},
    links,
};
use domain::{ListOrder, StorageColumn};
use leptos::prelude::*;

/// The default order.
pub(super) const LARGEST: ListOrder<StorageColumn> = ListOrder::descending(StorageColumn::Size);

pub(super) fn head(rows: &Rows) -> impl IntoView + use<> {
    let headings = Headings {
        table: "repositories",
        order: rows.order,
        given: Some(LARGEST),
        link: &links::storage,
    };
    let heading = |first: ListOrder<_>, class| {
        let title = title(first.column);
        headings.heading(first, title, class)
    };
    view! {
        <thead>
            <tr>
                {heading(ListOrder::ascending(StorageColumn::Name), "")}
                {heading(LARGEST, "num")}
                {fixed("Share", "num")}
                {heading(ListOrder::descending(StorageColumn::Reports), "num")}
                {heading(ListOrder::ascending(StorageColumn::Oldest), "num")}
            </tr>
        </thead>
    }
}

pub(super) fn title(column: StorageColumn) -> &'static str {
    match column {
        StorageColumn::Name => "Repository",
        StorageColumn::Size => "Size",
        StorageColumn::Reports => "Reports",
        StorageColumn::Oldest => "Oldest",
    }
}
