//! The tables of the overview, grouped by org. Their headings sort: the browser fetches the rows of another order as JSON,
//! and renders them by the same code as the server. Until then it keeps what the server rendered.

mod list;
mod orders;
#[cfg(test)]
mod tests;

#[cfg(feature = "hydrate")]
mod sorted;

#[cfg(feature = "hydrate")]
pub(super) use sorted::show;

use crate::{
    api::OverviewAnswer,
    components::pager::pager,
    links::{self, ReportLinks},
};
use domain::{OverviewQuery, Percentage};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[cfg(feature = "ssr")]
use {super::frame::without_hydration, crate::Target, domain::Overview};

pub(super) const NAME: &str = "repository_tables";

/// The settings of the service that rows depend on. The page contains them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Settings {
    target: Percentage,
    reports: ReportLinks,
}

#[cfg(feature = "ssr")]
#[component]
pub(crate) fn RepositoryTables(overview: Overview) -> impl IntoView {
    let Target(target) = expect_context();
    let reports: ReportLinks = expect_context();
    let settings = Settings { target, reports };
    let query = overview.query.clone();
    without_hydration(NAME, &settings, tables(query, &overview.into()))
}

fn tables(query: OverviewQuery, answer: &OverviewAnswer) -> impl IntoView + use<> {
    // A number after the last page gives the last page.
    let query = &OverviewQuery {
        page: answer.page,
        ..query
    };
    let to = |page| {
        links::overview(&OverviewQuery {
            page,
            ..query.clone()
        })
    };
    let orders = (!answer.rows.is_empty()).then(|| orders::orders(query));
    view! {
        {orders}
        {list::list(query, answer)}
        {pager("pager", "Pages", (query.page, answer.pages), to)}
    }
}
