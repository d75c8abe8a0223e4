//! `/`: the list of all repositories; above it, the repositories that need attention.

mod attention;
mod filters;
mod list;
mod nothing;
mod orders;
#[cfg(test)]
mod tests;
mod wording;

use crate::{
    SharedReadModel, Target,
    address::Address,
    components::{answered::answered, page_head::PageHead},
    links,
};
use domain::{GatesQuery, Overview, OverviewQuery};
use leptos::prelude::*;

/// The overview; its address holds the search, the filters, the order and the page.
#[component]
pub(crate) fn OverviewPage() -> impl IntoView {
    let address = Address::current();
    // Invalid values are ignored; the page shows the query that it uses.
    let query = OverviewQuery::of(&|name| address.values(name));
    let model: SharedReadModel = expect_context();
    let Target(target) = expect_context();
    let answer = async move { model.overview(query, target).await };
    answered(answer, move |overview| content(overview, target))
}

fn content(overview: Overview, target: domain::Percentage) -> impl IntoView {
    let counted = wording::counted(&overview, target);
    let overview_org = overview.query.org.clone();
    let list = if overview.is_new {
        nothing::first_upload()
    } else {
        let (query, now) = (&overview.query, overview.now);
        let attention = overview.attention.as_ref();
        view! {
            {attention.and_then(|attention| attention::attention(attention, query, now, target))}
            <div class="toolbar">
                {filters::filters(query, &overview.choices, target)}
                {(!overview.rows.is_empty()).then(|| orders::orders(query))}
            </div>
            {if overview.rows.is_empty() {
                nothing::nothing_found(query, target)
            } else {
                list::list(&overview).into_any()
            }}
        }
        .into_any()
    };
    let gates = GatesQuery {
        org: overview_org,
        ..GatesQuery::default()
    };
    view! {
        <PageHead title="Overview" description="Code coverage of all repositories."/>
        <div class="hero">
            <h1>"Overview"</h1>
            <span class="muted small" role="status">{counted}</span>
            <span class="grow"></span>
            <a class="link small" href=links::gates(&gates)>"Gates of pull requests"</a>
        </div>
        {list}
    }
}
