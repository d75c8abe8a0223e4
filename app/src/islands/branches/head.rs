//! The headings of branches on several pages.

use super::data::Rows;
use crate::islands::headings::{Headings, fixed, report};
use domain::{BranchColumn, ListOrder};
use leptos::prelude::*;

pub(super) fn head(rows: &Rows) -> impl IntoView + use<> {
    let headings = Headings {
        table: "branches",
        order: rows.query.branches,
        given: None,
        link: &|order| {
            rows.link(|query| {
                query.branches = order;
                query.page = 1;
            })
        },
    };
    let ascending = |column, class| {
        let first = ListOrder::ascending(column);
        headings.heading(first, title(column), class)
    };
    let uploaded = ListOrder::descending(BranchColumn::Uploaded);
    view! {
        <thead>
            <tr>
                {ascending(BranchColumn::Name, "")}
                {ascending(BranchColumn::Coverage, "c-cov")}
                {ascending(BranchColumn::Change, "c-change num")}
                {fixed("Commit", "c-commit")}
                {ascending(BranchColumn::Author, "c-author")}
                {headings.heading(uploaded, title(BranchColumn::Uploaded), "c-time")}
                {report()}
            </tr>
        </thead>
    }
}

pub(super) fn title(column: BranchColumn) -> &'static str {
    match column {
        BranchColumn::Name => "Branch",
        BranchColumn::Coverage => "Coverage",
        BranchColumn::Change => "Against base",
        BranchColumn::Author => "Author",
        BranchColumn::Uploaded => "Uploaded",
    }
}
