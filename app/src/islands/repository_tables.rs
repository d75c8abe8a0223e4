//! The tables of the overview, grouped by org. Their headings sort: the browser fetches the rows of another order as JSON,
//! and renders them by the same code as the server. Until then it keeps what the server rendered.

mod data;
mod list;
mod orders;
#[cfg(test)]
mod tests;

#[cfg(feature = "hydrate")]
mod sorted;

#[cfg(feature = "hydrate")]
pub(super) use sorted::show;

use data::Rows;
use leptos::prelude::*;

#[cfg(feature = "ssr")]
use {
    super::frame::without_hydration,
    crate::{Target, links::ReportLinks},
    data::Settings,
    domain::Overview,
};

pub(super) const NAME: &str = "repository_tables";

#[cfg(feature = "ssr")]
#[component]
pub(crate) fn RepositoryTables(overview: Overview) -> impl IntoView {
    let Target(target) = expect_context();
    let reports: ReportLinks = expect_context();
    let settings = Settings { target, reports };
    let rows = Rows {
        now: overview.now,
        query: overview.query,
        pages: overview.pages,
        rows: overview.rows,
        orgs: overview.orgs,
    };
    without_hydration(NAME, &settings, tables(&rows))
}

fn tables(rows: &Rows) -> impl IntoView + use<> {
    let orders = (!rows.rows.is_empty()).then(|| orders::orders(&rows.query));
    view! {
        {orders}
        {list::list(rows)}
        {orders::pager(&rows.query, rows.pages)}
    }
}
