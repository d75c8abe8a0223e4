//! The headings of an author's records on several pages.

use super::data::Rows;
use crate::islands::headings::{Headings, fixed, report};
use domain::{AuthorColumn, ListOrder};
use leptos::prelude::*;

pub(super) fn head(rows: &Rows) -> impl IntoView + use<> {
    let uploaded = ListOrder::descending(AuthorColumn::Uploaded);
    let headings = Headings {
        table: "records",
        order: rows.order(),
        given: Some(uploaded),
        link: &|order| rows.link(None, order),
    };
    let ascending = |column, class| {
        let first = ListOrder::ascending(column);
        headings.heading(first, title(column), class)
    };
    view! {
        <thead>
            <tr>
                {ascending(AuthorColumn::Name, "")}
                {fixed("Commit", "c-commit")}
                {ascending(AuthorColumn::Coverage, "c-cov")}
                {ascending(AuthorColumn::Change, "c-change num")}
                {headings.heading(uploaded, title(AuthorColumn::Uploaded), "c-time")}
                {report()}
            </tr>
        </thead>
    }
}

pub(super) fn title(column: AuthorColumn) -> &'static str {
    match column {
        AuthorColumn::Name => "Repository and branch",
        AuthorColumn::Coverage => "Coverage",
        AuthorColumn::Change => "Change",
        AuthorColumn::Uploaded => "Uploaded",
    }
}

pub(super) fn words(order: ListOrder<AuthorColumn>) -> &'static str {
    match (order.column, order.is_descending) {
        (AuthorColumn::Name, false) => "name",
        (AuthorColumn::Name, true) => "name, the last first",
        (AuthorColumn::Coverage, false) => "coverage, lowest first",
        (AuthorColumn::Coverage, true) => "coverage, highest first",
        (AuthorColumn::Change, false) => "change, biggest drop first",
        (AuthorColumn::Change, true) => "change, biggest rise first",
        (AuthorColumn::Uploaded, false) => "upload, oldest first",
        (AuthorColumn::Uploaded, true) => "upload, newest first",
    }
}
